/** Does something when the engine interrupts this process at the end of an update. The process then ends as if it did not listen. */
export function atTheEnd(action: () => void): void {
  // On Windows the engine sends SIGBREAK, which a process cannot send to itself.
  for (const [received, sent] of [
    ["SIGINT", "SIGINT"],
    ["SIGBREAK", "SIGTERM"],
  ] as const)
    process.once(received, () => {
      action();
      if (process.listenerCount(received) === 0) process.kill(process.pid, sent);
    });
}
