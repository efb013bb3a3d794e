import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PluginContext } from '#plugin-kit/context'
import { ProviderError } from '#plugin-kit/provider_error'
import { GitFailure, protocolError, refused } from '../program/failures.js'
import { Remote } from '../remote/remote.js'
import { withFileLock } from './file_lock.js'

/**
 * The time a caller waits for the first clone, in milliseconds; small repositories are there by
 * then.
 */
const TIMEOUT = 10_000

/** A copy that takes longer is given up. Milliseconds, as all of these. */
const COPY_TIMEOUT_MS = 6 * 3_600_000

/** Suggested delay before asking again, in milliseconds. */
const ASK_AGAIN = 15_000

/** The location of a repository's mirror. */
interface Place {
  home: string
  folder: string
  /** Held by who works with the mirror. */
  lock: string
  /** Held by who makes it. */
  copyLock: string
}

interface Copying {
  done: Promise<void>
  since: Date
}

/** The copies that this process makes, by their folders. */
const underWay = new Map<string, Copying>()

/**
 * Returns the place of a repository's mirror in the connection's folder.
 * @throws ProviderError `invalid`
 */
export async function placeOf({ folder: home }: PluginContext, address: string): Promise<Place> {
  if (home === null) throw refused('invalid', 'There is no connection yet', 'no_connection')
  await mkdir(home, { recursive: true, mode: 0o700 })
  const name = createHash('sha256').update(address).digest('hex').slice(0, 24)
  const path = (ending: string) => join(home, `${name}.${ending}`)
  return { home, folder: path('git'), lock: path('lock'), copyLock: path('copy.lock') }
}

/**
 * Sees to it that a repository is copied. The first copy may take longer than anybody waits, so
 * it goes on by itself, whoever gives up.
 * @throws ProviderError `unavailable` with the reason `preparing` while it goes on; what it ended with
 */
export async function requireCopy(ctx: PluginContext, place: Place): Promise<void> {
  if (await isThere(place.folder)) return
  let copying = underWay.get(place.folder)
  if (!copying) underWay.set(place.folder, (copying = begin(ctx, place)))
  if (await endsWithin(copying.done, TIMEOUT, ctx.signal)) return
  const since = copying.since.toISOString()
  const reported = `The repository is still being copied for the first time, since ${since}`
  throw new ProviderError('unavailable', reported, {
    outcome: 'notApplied',
    reason: 'preparing',
    retryAfterMs: ASK_AGAIN,
  })
}

export async function removeCopy({ folder }: Place): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

function begin(ctx: PluginContext, place: Place): Copying {
  const done = copy({ ...ctx, signal: AbortSignal.timeout(COPY_TIMEOUT_MS) }, place).finally(() =>
    underWay.delete(place.folder)
  )
  done.catch((error: unknown) => {
    const failure = error instanceof Error ? error.message : String(error)
    ctx.log.warn({ failure }, 'a repository could not be copied')
  })
  return { done, since: ctx.now() }
}

/**
 * Copies the repository beside its folder, and moves the copy there once it is complete; one
 * process at a time.
 */
async function copy(ctx: PluginContext, place: Place): Promise<void> {
  await withFileLock(place.copyLock, ctx.signal, async () => {
    if (await isThere(place.folder)) return
    await sweep(place)
    const part = `${place.folder}.part-${randomUUID()}`
    const remote = await Remote.open(ctx, ctx.data.repoName)
    try {
      const [hash = ''] = (await remote.refs()).values()
      const format = hash.length === 64 ? 'sha256' : 'sha1'
      await mkdir(part, { mode: 0o700 })
      const flags = ['--quiet', '--bare', '--template=', `--object-format=${format}`]
      await remote.git.run(['init', ...flags, '--initial-branch=main', '--end-of-options', part])
      await remote.fetchInto(part)
      await rename(part, place.folder)
    } catch (error) {
      throw error instanceof GitFailure ? protocolError(error, 'notApplied') : error
    } finally {
      await remote.close()
      await rm(part, { recursive: true, force: true })
    }
  })
}

/** Removes what processes left that ended in the middle. */
async function sweep({ home, folder }: Place): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(`${basename(folder)}.part`)) continue
    await rm(join(home, name), { recursive: true, force: true })
  }
}

/** @returns false when it is not over in time, or before nobody waits any more */
async function endsWithin(
  done: Promise<void>,
  milliseconds: number,
  signal: AbortSignal
): Promise<boolean> {
  const over = new AbortController()
  const waiting = AbortSignal.any([signal, over.signal])
  const late = sleep(milliseconds, false, { signal: waiting }).catch(() => false)
  try {
    return await Promise.race([done.then(() => true), late])
  } finally {
    over.abort()
  }
}

function isThere(folder: string): Promise<boolean> {
  return readdir(folder).then(
    () => true,
    () => false
  )
}
