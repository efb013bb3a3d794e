import { storeKindOf, type AppPlatform } from '#apps/vocabulary'
import { KeptWhileUnchanged } from '../frame/kept_while_unchanged.js'
import type { PageCall } from '../frame/page.js'
import { appsOf } from '../home/overview.js'
import type { Entry, Release, Rollout } from './answers.js'

/** A release of some app. */
export interface ReleaseOfApp {
  app: { id: string; name: string; platform: AppPlatform; appGroup: string | null }
  id: string
  version: string
}

/** The other release of a pair, or the releases that a release can be joined with. */
export interface PairAnswers {
  pair: Release['pair']
  /** The other release of the pair; null without a pair, or if the reader does not see its app. */
  other: (ReleaseOfApp & { rollout: Rollout }) | null
  /** Open releases for the other platform; null if joining is not offered. */
  choices: readonly ReleaseOfApp[] | null
}

/** The data of the confirmation before a pair is separated. */
export interface PartAnswers extends Omit<PairAnswers, 'choices'> {
  own: ReleaseOfApp
  /** The entity tag of the release. */
  tag: string
  /** The last event; absent for a release without a timeline. */
  entry?: Entry
}

/** Phases in which users get a release, so that it cannot wait for another one. */
const OUT: ReadonlySet<string> = new Set(['rollingOut', 'released'])

/** The kind of store that a release can be paired with, by its own kind. */
const OTHER = { apple: 'google', google: 'apple', ota: null } as const

/** Reads the other release of a pair; without a pair, the releases that can be joined. */
export async function readPair(
  call: PageCall,
  app: ReleaseOfApp['app'],
  release: Release
): Promise<PairAnswers> {
  const { pair } = release
  if (pair) return { pair, other: await otherOf(call, pair), choices: null }
  const isOpen = release.status !== 'completed' && release.status !== 'skipped'
  const kind = OTHER[storeKindOf(app.platform)]
  const isOffered =
    isOpen && !OUT.has(release.phase) && kind !== null && call.reader.may('joinReleases')
  return { pair: null, other: null, choices: isOffered ? await choicesOf(call, app, kind) : null }
}

async function otherOf(
  { ask }: PageCall,
  { releaseId }: NonNullable<Release['pair']>
): Promise<PairAnswers['other']> {
  if (releaseId === null) return null
  const of = { params: { appId: releaseId.slice(0, releaseId.lastIndexOf(':')), releaseId } }
  const [app, rollout] = await Promise.all([
    ask<ReleaseOfApp['app']>('getApp', of),
    ask<Rollout>('getRollout', of),
  ])
  const { version } = rollout.body
  return { app: app.body, id: releaseId, version, rollout: rollout.body }
}

/** Proposals by reader and app, kept for a minute, as the page polls. */
const proposals = new KeptWhileUnchanged<ReleaseOfApp[]>(1000)

/** Returns the open releases for a kind of store, those in the same group of apps first. */
async function choicesOf(
  call: PageCall,
  app: ReleaseOfApp['app'],
  kind: 'apple' | 'google'
): Promise<ReleaseOfApp[]> {
  const { now, principal } = call.reader
  const { organization, actor } = principal
  const key = `${organization.id} ${actor.id} ${app.id}`
  const known = proposals.findLast(key, now)
  if (known) return known
  const choices = await proposedOf(call, app, kind)
  proposals.keep(key, organization.changes, now, choices)
  return choices
}

async function proposedOf(
  call: PageCall,
  { appGroup }: ReleaseOfApp['app'],
  kind: 'apple' | 'google'
): Promise<ReleaseOfApp[]> {
  const isNear = (app: ReleaseOfApp['app']) => appGroup !== null && app.appGroup === appGroup
  return (await appsOf(call))
    .filter(({ platform }) => storeKindOf(platform) === kind)
    .sort((one, other) => Number(isNear(other)) - Number(isNear(one)))
    .flatMap(({ release, alsoActive, ...app }) =>
      [release, ...alsoActive].flatMap((each) => {
        if (each === null || OUT.has(each.phase)) return []
        if ('status' in each && (each.status === 'completed' || each.status === 'skipped'))
          return []
        return [{ app, id: each.id, version: each.version }]
      })
    )
}

/** Reads a release and the other one of its pair. */
export async function readPart(call: PageCall): Promise<PartAnswers> {
  const { ask, params } = call
  const { appId, releaseId } = params
  const of = { params: { appId, releaseId } }
  const [app, release, entries] = await Promise.all([
    ask<ReleaseOfApp['app']>('getApp', { params: { appId } }),
    ask<Release>('getRelease', of),
    ask<{ data: Entry[] }>('listTimelineEvents', { ...of, query: { limit: '1' } }),
  ])
  const { pair, id, version } = release.body
  const [entry] = entries.body.data
  return {
    own: { app: app.body, id, version },
    ...{ pair, other: pair && (await otherOf(call, pair)) },
    ...{ tag: release.etag, entry },
  }
}
