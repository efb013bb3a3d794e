import { readdirSync, readFileSync } from 'node:fs'

function readOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // It is gone.
    return ''
  }
}

/** Returns whether a process is running; a zombie is not. */
export function isRunning(pid: number): boolean {
  const status = readOf(pid, 'status')
  return status !== '' && !/^State:\s+Z/m.test(status)
}

/** Returns the launchers of a process; there is at most one. */
export function launchersOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && readOf(pid, 'status').includes(`\nPPid:\t${parent}\n`))
    .filter((pid) => readOf(pid, 'cmdline').includes('launcher_process.js'))
    .filter(isRunning)
}

/** Returns what anybody on the machine may read of a process: its arguments and its variables. */
export const shownOf = (pid: number) => readOf(pid, 'cmdline') + readOf(pid, 'environ')
