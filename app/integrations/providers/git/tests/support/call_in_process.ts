import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Given } from './contexts.js'

const PATH = fileURLToPath(import.meta.url)
const TYPESCRIPT = fileURLToPath(new URL('../../../../../../bin/typescript.js', import.meta.url))

/** Calls a method in a process of its own, which can be killed in the middle of it. */
export function callInProcess(given: Given, method: string, args: readonly unknown[]) {
  const child = spawn(
    process.execPath,
    [`--import=${TYPESCRIPT}`, PATH, JSON.stringify({ given, method, args })],
    { stdio: 'inherit' }
  )
  const closed = once(child, 'close')
  return {
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
    /** Returns the exit code of one that ends by itself. */
    async ended(): Promise<number | null> {
      return (await closed)[0]
    },
  }
}

if (process.argv[1] === PATH) {
  const { versionControl } = await import('./contexts.js')
  const { given, method, args } = JSON.parse(process.argv[2])
  const git = versionControl(given)
  await Reflect.apply(git[method as keyof typeof git] as () => Promise<unknown>, git, args)
}
