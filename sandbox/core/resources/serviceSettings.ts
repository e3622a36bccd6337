import { badRequest, notFound } from "../apiError";
import { seededAt } from "../credentials";
import { type Call, documentedRoute, type Route } from "../routes";
import type {
  Backup,
  BackupConfiguration,
  ReplicaAwareRouting,
  Service,
  Snapshot,
  SnapshotConfiguration,
  UpgradeWindow,
} from "./serviceRecords";

const path = "/:serviceId";

const usualBackups: BackupConfiguration = { backupPeriodInHours: 24, backupRetentionPeriodInHours: 24 };

const usualSnapshots: SnapshotConfiguration = { enabled: false, gap: 60, timeFrame: 2880 };

const usualRouting: ReplicaAwareRouting = { httpEnabled: false, nativeEnabled: false };

const seededBackup: Backup = {
  id: "9d3c7a10-52be-4f08-8e61-0b7f4c2d6a91",
  ...{ backupName: "nightly", status: "done", type: "full" },
  ...{ startedAt: seededAt, finishedAt: seededAt, sizeInBytes: 1048576, durationInSeconds: 0 },
};

const seededSnapshot: Snapshot = {
  ...seededBackup,
  ...{ id: "9d3c7a10-52be-4f08-8e61-0b7f4c2d6a92", backupName: "snapshot", status: "done", type: "full" },
};

type BackupChange = { [Member in keyof BackupConfiguration]?: BackupConfiguration[Member] | null };

export function settingsOfService(
  of: (call: Pick<Call, "service">) => Service,
  primaryOf: (service: Service) => Service,
  write: (service: Service) => void,
): readonly Route[] {
  return [
    {
      operation: "getBackupConfiguration",
      method: "GET",
      path: `${path}/backupConfiguration`,
      run: (call) => of(call).backupConfiguration ?? usualBackups,
    },
    {
      operation: "listBackups",
      method: "GET",
      path: `${path}/backups`,
      run(call) {
        const { id: serviceId, backups = [seededBackup] } = of(call);
        return backups.map((backup) => ({ ...backup, serviceId }));
      },
    },
    documentedRoute<BackupChange>({
      operation: "updateBackupConfiguration",
      method: "PATCH",
      path: `${path}/backupConfiguration`,
      run(call) {
        const service = of(call);
        if (!service.isPrimary)
          throw badRequest("backups can be configured for the primary service of a warehouse only");
        const backupConfiguration = changedBackups(service.backupConfiguration ?? usualBackups, call.body);
        write({ ...service, backupConfiguration });
        return backupConfiguration;
      },
    }),
    {
      operation: "getSnapshotConfiguration",
      method: "GET",
      path: `${path}/snapshotConfiguration`,
      run: (call) => of(call).snapshotConfiguration ?? usualSnapshots,
    },
    documentedRoute<Partial<SnapshotConfiguration>>({
      operation: "updateSnapshotConfiguration",
      method: "PATCH",
      path: `${path}/snapshotConfiguration`,
      run(call) {
        const service = of(call);
        if (Object.keys(call.body).length === 0) throw badRequest("at least one property is needed");
        const snapshotConfiguration = { ...usualSnapshots, ...service.snapshotConfiguration, ...call.body };
        const { gap, timeFrame } = snapshotConfiguration;
        if (![30, 60].includes(gap) || timeFrame !== gap * 48)
          throw badRequest("gap and timeFrame must be 30 and 1440, or 60 and 2880");
        write({ ...service, snapshotConfiguration });
        return snapshotConfiguration;
      },
    }),
    {
      operation: "listSnapshots",
      method: "GET",
      path: `${path}/snapshots`,
      run(call) {
        const { id: serviceId, snapshots = [seededSnapshot] } = of(call);
        return snapshots.map((snapshot) => ({ ...snapshot, serviceId }));
      },
    },
    {
      operation: "getReplicaAwareRouting",
      method: "GET",
      path: `${path}/replicaAwareRouting`,
      run: (call) => of(call).replicaAwareRouting ?? usualRouting,
    },
    documentedRoute<Partial<ReplicaAwareRouting>>({
      operation: "updateReplicaAwareRouting",
      method: "PATCH",
      path: `${path}/replicaAwareRouting`,
      run(call) {
        const service = of(call);
        const replicaAwareRouting = { ...usualRouting, ...service.replicaAwareRouting, ...call.body };
        write({ ...service, replicaAwareRouting });
        return replicaAwareRouting;
      },
    }),
    {
      operation: "getUpgradeWindow",
      method: "GET",
      path: `${path}/upgradeWindow`,
      run(call) {
        // A service that is not the first of its warehouse has the upgrade window of the first service.
        const { upgradeWindow } = primaryOf(of(call));
        if (!upgradeWindow) throw notFound("upgrade window not found");
        return shown(upgradeWindow);
      },
    },
    documentedRoute<UpgradeWindow>({
      operation: "putUpgradeWindow",
      method: "PUT",
      path: `${path}/upgradeWindow`,
      run(call) {
        const service = of(call);
        if (!service.isPrimary) throw badRequest("cannot set upgrade window on a secondary service");
        const { weekday, startHourUtc } = call.body;
        write({ ...service, upgradeWindow: { weekday, startHourUtc } });
        return shown({ weekday, startHourUtc });
      },
    }),
    {
      operation: "deleteUpgradeWindow",
      method: "DELETE",
      path: `${path}/upgradeWindow`,
      run(call) {
        const { upgradeWindow, ...service } = of(call);
        if (!upgradeWindow) throw notFound("upgrade window not found");
        write(service);
      },
    },
  ];
}

const shown = (window: UpgradeWindow) => ({ ...window, duration: 6 });

const periods = [6, 8, 12, 16, 20, 24, 36, 48];

function changedBackups(before: BackupConfiguration, body: BackupChange): BackupConfiguration {
  const { backupStartTime: start = before.backupStartTime } = body;
  const { backupRetentionPeriodInHours: retention = before.backupRetentionPeriodInHours } = body;
  if (typeof start === "string" && !/^([01]\d|2[0-3]):00$/.test(start))
    throw badRequest("customBackupStartTime must be a valid time (HH:00)");
  // If a request to change backups has a start time but no period, ClickHouse Cloud sets the period to 24 hours.
  const isStarted = typeof body.backupStartTime === "string";
  const { backupPeriodInHours: period = isStarted ? 24 : before.backupPeriodInHours } = body;
  const hours = period ?? usualBackups.backupPeriodInHours;
  if (!periods.includes(hours)) throw badRequest(`backupPeriodInHours must be one of ${periods.join(", ")}`);
  if (start && ![24, 48].includes(hours))
    throw badRequest("backupPeriodInHours must be 24 or 48 with a backup start time");
  const kept = retention ?? usualBackups.backupRetentionPeriodInHours;
  if (kept % 24 !== 0 || kept < 24 || kept > 1080)
    throw badRequest("backupRetentionPeriodInHours must be a multiple of 24 from 24 to 1080");
  return {
    backupPeriodInHours: hours,
    backupRetentionPeriodInHours: kept,
    ...(start && { backupStartTime: start }),
  };
}
