import { browserAdvice } from "./chromium.mjs";

/**
 * Leaves the tests that need a browser out of a run where there is none.
 * @template {{ part: string }} TestFile
 * @param {readonly TestFile[]} files the test files to run
 * @param {string | undefined} browser the path of the browser
 * @param {boolean} isInsisted whether the run has to have them, as in CI, or where its command line names them
 * @returns {{ files: TestFile[], leftOut?: string }} the files that can run, and what is left out and why, in one line
 * @throws when the run has to have a browser, and there is none
 */
export function withBrowserIfAny(files, browser, isInsisted) {
  const runnable = files.filter(({ part }) => part !== "browser");
  const count = files.length - runnable.length;
  if (browser !== undefined || count === 0) return { files: [...files] };
  const lack = `${count} ${count === 1 ? "file" : "files"} of tests in a browser, since there is none: ${browserAdvice}`;
  if (isInsisted) throw new Error(`Not to be run: ${lack}.`);
  return { files: runnable, leftOut: `Left out: ${lack}.` };
}
