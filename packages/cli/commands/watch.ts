import { setTimeout as sleep } from 'node:timers/promises'
import { orThrow } from '@tarmac/client'
import { EXIT, Failure, failureOf, isPassing } from '../exit_codes.js'
import { plain, readerLeft } from '../output.js'
import { releasePath, type Session } from '../session.js'
import { stateOf, wordOf } from '../words.js'
import { whyText, type Why } from './why.js'

/** Points that a release passes, in order. */
export const POINTS = [
  'kickedOff',
  'readyToSubmit',
  'submitted',
  'readyToRelease',
  'released',
  'completed',
] as const
export type Point = (typeof POINTS)[number]

/** The number of points that a release has passed in each phase. */
const PASSED: Readonly<Record<Why['phase'], number>> = {
  upcoming: 0,
  kickedOff: 1,
  readyToSubmit: 2,
  submitted: 3,
  inReview: 3,
  rejected: 3,
  readyToRelease: 4,
  rollingOut: 5,
  released: 5,
  skipped: 0,
}

/** Returns whether a release has passed a point. */
export function hasPassed(
  { status, phase, readyToSubmit, readyToRelease }: Why,
  point: Point
): boolean {
  if (status === 'completed') return true
  if (point === 'readyToSubmit' && readyToSubmit) return true
  if (point === 'readyToRelease' && readyToRelease) return true
  return POINTS.indexOf(point) < PASSED[phase]
}

/** Requests the state of a release, unless it still has an entity tag. */
const look = (
  { client }: Session,
  release: string,
  tag: string | null,
  signal: AbortSignal | undefined
) =>
  client.GET('/app/{appId}/release/{releaseId}/whyNotMoving', {
    params: { path: releasePath(release) },
    headers: tag === null ? {} : { 'If-None-Match': tag },
    signal,
  })

/**
 * Yields the state of a release whenever it has changed. Once the release was seen, failures that
 * may pass, such as a restart of the service, are reported on standard error, and do not end it.
 */
async function* changes(
  session: Session,
  release: string,
  every: number,
  signal?: AbortSignal
): AsyncGenerator<Why> {
  let tag: string | null = null
  let isSeen = false
  let isFailing = false
  for (;;) {
    let now: Why | null = null
    try {
      const result: Awaited<ReturnType<typeof look>> = await look(session, release, tag, signal)
      // With 304, nothing has changed.
      if (result.response.status !== 304) {
        now = await orThrow(result)
        tag = result.response.headers.get('etag')
      }
      isFailing = false
    } catch (error) {
      if (!isSeen || !isPassing(error)) throw error
      const why = plain(failureOf(error).message).replace(/\.$/, '')
      if (!isFailing) process.stderr.write(`${why}. Trying again.\n`)
      isFailing = true
    }
    if (now) yield now
    isSeen ||= now !== null
    await sleep(every * 1000, undefined, { signal })
  }
}

const isOver = ({ status }: Why) => status === 'completed' || status === 'skipped'

/**
 * Shows a release as it moves: redraws the screen, or prints a line per change in a pipe, as long
 * as somebody reads it.
 */
export async function watch(
  session: Session,
  release: string,
  { every = 5 }: { every?: number }
): Promise<void> {
  const { out } = session
  let before: Why | null = null
  for await (const now of changes(session, release, every, readerLeft.signal)) {
    if (out.isLive) out.redraw(whyText(now, out))
    else
      for (const change of differences(before, now)) out.each(change, lineOf(change, before, now))
    before = now
    if (isOver(now)) return
  }
}

/** An observed change of a release, of a step or of an unmet requirement. */
interface Change {
  at: string
  of: string
  from: string | null
  to: string
}

/** Returns the differences between two observations; everything for the first one. */
export function differences(before: Why | null, now: Why): Change[] {
  const valuesOf = (why: Why) =>
    new Map([
      [why.releaseId, `${why.status}, ${why.phase}`],
      ...why.steps.map(({ name, status }) => [name, status] as const),
      ...why.release.map(({ code, message }) => [code, message] as const),
    ])
  const [was, is] = [before ? valuesOf(before) : new Map<string, string>(), valuesOf(now)]
  const at = new Date().toISOString()
  const changed = [...is].filter(([of, to]) => was.get(of) !== to)
  const gone = [...was].filter(([of]) => !is.has(of))
  return [
    ...changed.map(([of, to]) => ({ at, of, from: was.get(of) ?? null, to })),
    ...gone.map(([of, from]) => ({ at, of, from, to: 'gone' })),
  ]
}

/** Formats a change for people: in words, and an unmet requirement without its code. */
function lineOf({ at, of, from, to }: Change, before: Why | null, now: Why): string {
  const isRequirement = [before, now].some((why) => why?.release.some(({ code }) => code === of))
  if (isRequirement) return plain(`${at}  ${to === 'gone' ? `No longer: ${from}` : to}`)
  const said = (value: string) => {
    const [status, phase] = value.split(', ')
    return of === now.releaseId ? stateOf({ status, phase }) : wordOf(value)
  }
  return plain(`${at}  ${of}: ${from === null ? '' : `${said(from)} → `}${said(to)}`)
}

/**
 * Waits until a release has passed a point.
 * @throws Failure if it cannot any more, or did not in time
 */
export async function wait(
  session: Session,
  release: string,
  { for: point, timeout, every = 5 }: { for: Point; timeout: number; every?: number }
): Promise<void> {
  const keyLifetimeMs = Math.max(0, (session.endsAt ?? Infinity) - Date.now())
  const isKeyExpiringFirst = keyLifetimeMs < timeout * 1000
  const signal = AbortSignal.timeout(
    Math.floor(isKeyExpiringFirst ? keyLifetimeMs : timeout * 1000)
  )
  try {
    for await (const now of changes(session, release, every, signal)) {
      if (hasPassed(now, point)) break
      const end = now.status === 'skipped' ? 'skipped' : now.phase === 'rejected' && 'rejected'
      if (end) throw new Failure(EXIT.notReady, `${release} was ${end}.`)
    }
  } catch (error) {
    if (!signal.aborted) throw error
    const when = isKeyExpiringFirst ? 'when the key of this run ended' : `after ${timeout} seconds`
    throw new Failure(EXIT.timedOut, `${release} was not ${wordOf(point)} ${when}.`)
  }
  const done = { releaseId: release, passed: point }
  session.out.show(done, () => `${release} is ${wordOf(point)}.`)
}
