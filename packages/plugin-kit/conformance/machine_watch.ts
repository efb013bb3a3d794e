import { AsyncLocalStorage } from 'node:async_hooks'
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'

/*
 * Watches what code uses of the machine: files, programs, sockets and the environment. Node has no
 * sandbox within a process, so this warns authors of an oversight and prevents nothing.
 */

type Functions = Record<string, unknown>

/** The watched modules and prototypes of Node, by their names in problems. */
const WATCHED: Readonly<Record<string, object>> = {
  'fs': fs,
  'fs/promises': fs.promises,
  'child_process': childProcess,
  'net': net,
  'net.Socket': net.Socket.prototype,
  'tls': tls,
  'dgram': dgram,
}
/** Prototype methods that open a connection; the others only use an existing socket. */
const PROTOTYPE_METHODS = ['connect']

/** The set that collects uses; undefined outside of a watch. */
const watching = new AsyncLocalStorage<Set<string> | undefined>()

/** Runs code of the kit or a fake, whose uses do not count as the plugin's. */
export const unwatched = <Result>(work: () => Result): Result => watching.run(undefined, work)

/**
 * Returns what a piece of work uses of the machine, such as `fs.readFile` or `process.env.HOME`.
 */
export async function usedOfMachine(work: () => Promise<unknown>): Promise<string[]> {
  const used = new Set<string>()
  const restore = watchMachine()
  try {
    await watching.run(used, work)
  } finally {
    restore()
  }
  return [...used].sort()
}

/** @returns a function that restores everything */
function watchMachine(): () => void {
  const { env } = process
  const originals: (() => void)[] = [() => void (process.env = env)]
  for (const [name, functions] of Object.entries(WATCHED)) {
    const members = functions as Functions
    const names = functions === net.Socket.prototype ? PROTOTYPE_METHODS : Object.keys(members)
    for (const each of names.filter((key) => /^[a-z]/.test(key))) {
      const original = members[each]
      if (typeof original !== 'function') continue
      members[each] = watched(original as (...given: unknown[]) => unknown, `${name}.${each}`)
      originals.push(() => void (members[each] = original))
    }
  }
  process.env = new Proxy(env, {
    get(target, name, receiver) {
      if (typeof name === 'string') note(`process.env.${name}`)
      return Reflect.get(target, name, receiver) as unknown
    },
  })
  syncBuiltinESMExports()
  return () => {
    for (const restoreOriginal of originals) restoreOriginal()
    syncBuiltinESMExports()
  }
}

function watched(original: (...given: unknown[]) => unknown, name: string) {
  const replacement = function (this: unknown, ...given: unknown[]): unknown {
    note(name)
    return Reflect.apply(original, this, given)
  }
  return Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original))
}

/** Index of the caller in a stack: `note` and the watched function come first. */
const CALLER = 2
const MAX_FRAMES = 50

function note(name: string): void {
  const used = watching.getStore()
  if (!used || used.has(name)) return
  const sites = callSites()
  // Node and third-party packages use the machine to load modules and print error sources.
  if (isThirdParty(sites[CALLER]) || sites.some(isNodeInternal)) return
  used.add(name)
}

/** Returns the callers, innermost first; empty while the stack of another error is printed. */
function callSites(): NodeJS.CallSite[] {
  const { stackTraceLimit, prepareStackTrace } = Error
  Error.stackTraceLimit = MAX_FRAMES
  // Skips the lookup of source maps, which a formatted stack would need.
  Error.prepareStackTrace = (_error, sites) => sites
  const here: { stack?: unknown } = {}
  Error.captureStackTrace(here, callSites)
  const { stack } = here
  Object.assign(Error, { stackTraceLimit, prepareStackTrace })
  return Array.isArray(stack) ? (stack as NodeJS.CallSite[]) : []
}

const fileOf = (site: NodeJS.CallSite) => site.getFileName() ?? 'node:'

const isThirdParty = (site: NodeJS.CallSite | undefined) =>
  site === undefined || /^node:|node_modules/.test(fileOf(site))

const isNodeInternal = (site: NodeJS.CallSite) =>
  fileOf(site).startsWith('node:internal/modules') ||
  site.getFunctionName()?.includes('prepareStackTrace') === true
