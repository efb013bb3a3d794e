import { AsyncLocalStorage } from 'node:async_hooks'
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'

/*
 * Watches the use that code makes of its machine: files, programs, sockets and the environment.
 * Node has no sandbox within a process, so this warns authors of an oversight and stops nobody.
 */

type Functions = Record<string, unknown>

/** The functions of Node that are watched, by what a problem calls them. */
const WATCHED: Readonly<Record<string, object>> = {
  'fs': fs,
  'fs/promises': fs.promises,
  'child_process': childProcess,
  'net': net,
  'net.Socket': net.Socket.prototype,
  'tls': tls,
  'dgram': dgram,
}
/** Methods of prototypes that reach out; everything else serves whoever has a socket. */
const OF_PROTOTYPE = ['connect']

/** The set that collects uses; undefined if nobody watches. */
const watching = new AsyncLocalStorage<Set<string> | undefined>()

/** Runs code of the kit or a fake, whose uses are not the plugin's. */
export const unwatched = <Result>(work: () => Result): Result => watching.run(undefined, work)

/** Names what a piece of work uses of the machine: `fs.readFile`, `process.env.HOME`. */
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

/** @returns what puts everything back */
function watchMachine(): () => void {
  const { env } = process
  const originals: (() => void)[] = [() => void (process.env = env)]
  for (const [name, functions] of Object.entries(WATCHED)) {
    const members = functions as Functions
    const names = functions === net.Socket.prototype ? OF_PROTOTYPE : Object.keys(members)
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
    for (const put of originals) put()
    syncBuiltinESMExports()
  }
}

function watched(original: (...given: unknown[]) => unknown, name: string) {
  const stand = function (this: unknown, ...given: unknown[]): unknown {
    note(name)
    return Reflect.apply(original, this, given)
  }
  return Object.defineProperties(stand, Object.getOwnPropertyDescriptors(original))
}

/** Index in a stack: `note`, the watched function, then its caller. */
const USER = 2
const MOST_FRAMES = 50

function note(name: string): void {
  const used = watching.getStore()
  if (!used || used.has(name)) return
  const sites = callSites()
  // Node and vendors' packages use the machine to load modules and to read lines of errors.
  if (isOfOthers(sites[USER]) || sites.some(isBeside)) return
  used.add(name)
}

/** Returns the callers, innermost first; empty while the stack of another error is printed. */
function callSites(): NodeJS.CallSite[] {
  const { stackTraceLimit, prepareStackTrace } = Error
  Error.stackTraceLimit = MOST_FRAMES
  // The places of sources, which are looked up in source maps else, are of no interest here.
  Error.prepareStackTrace = (_error, sites) => sites
  const here: { stack?: unknown } = {}
  Error.captureStackTrace(here, callSites)
  const { stack } = here
  Object.assign(Error, { stackTraceLimit, prepareStackTrace })
  return Array.isArray(stack) ? (stack as NodeJS.CallSite[]) : []
}

const fileOf = (site: NodeJS.CallSite) => site.getFileName() ?? 'node:'

const isOfOthers = (site: NodeJS.CallSite | undefined) =>
  site === undefined || /^node:|node_modules/.test(fileOf(site))

const isBeside = (site: NodeJS.CallSite) =>
  fileOf(site).startsWith('node:internal/modules') ||
  site.getFunctionName()?.includes('prepareStackTrace') === true
