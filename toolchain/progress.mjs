/** Seconds between two progress reports of a long step. In a log, such as that of a pipeline, reports are rare. */
const seconds = { onTerminal: 1, inLog: 30 };

/**
 * A duration in words: `7 s`, `2 min 5 s`.
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Reports the progress of a long step on stderr until it ends: on a terminal in one line that is rewritten, otherwise in a line
 * every half minute.
 * @template Result
 * @param {string} title the description of the step
 * @param {(detail: (text: string) => void) => Promise<Result>} step the work, which gets a function to report its progress
 * @returns {Promise<Result>}
 */
export async function withProgress(title, step) {
  const started = Date.now();
  const terminal = process.stderr.isTTY === true;
  let current = "";
  const line = () => `${title}${current && `: ${current}`} (${duration(Date.now() - started)})`;
  const show = () =>
    process.stderr.write(terminal ? `\r\x1b[K${line().slice(0, process.stderr.columns)}` : `${line()}\n`);
  show();
  const timer = setInterval(show, (terminal ? seconds.onTerminal : seconds.inLog) * 1000);
  try {
    const result = await step((text) => {
      current = text;
    });
    current = "done";
    return result;
  } catch (error) {
    current = "failed";
    throw error;
  } finally {
    clearInterval(timer);
    process.stderr.write(`${terminal ? "\r\x1b[K" : ""}${line()}\n`);
  }
}
