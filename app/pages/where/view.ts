import type { WhereIsEntity } from '#insights/where_is_entities'
import { addresses, addressOf } from '../addresses.js'
import { headOf, type NamedApp } from '../app/head.js'
import type { PageCall, PageView, Reader } from '../frame/page.js'
import { firstLine, shortHash } from '../words/commits.js'
import { appNames } from '../words/names.js'
import { counted, percentText } from '../words/numbers.js'
import { BUILD_STATUSES, PHASES, statusLabel } from '../words/statuses.js'
import { inSentence, timeOf } from '../words/times.js'

type Found = WhereIsEntity['apps'][number]

export interface WhereAnswers {
  app: NamedApp
  /** All apps that the reader sees. */
  apps: readonly NamedApp[]
  /** The typed commit, pull request or ticket; null for none. */
  change: string | null
  /** The apps that have it; null if nothing was typed. */
  found: readonly Found[] | null
}

/** The most commits, releases and builds of an app that are shown, of each. */
const MAX_SHOWN = 10

/** Returns the view of where a change is. */
export function whereView(
  { app, apps, change, found }: WhereAnswers,
  { reader }: Pick<PageCall, 'reader'>
) {
  const nameOf = appNames(apps)
  return {
    title: `Where is my change · ${app.name}`,
    place: null,
    pollSeconds: null,
    head: headOf(app, reader, 'where'),
    action: addressOf(addresses.where, { appId: app.id }),
    change: change ?? '',
    missing:
      found?.length === 0
        ? 'Nothing is known of it. A commit is known once the repository or a build names it.'
        : null,
    apps: (found ?? []).map((each) => foundIn(each, nameOf(each.appId), reader)),
  } satisfies PageView & Record<string, unknown>
}

function foundIn({ appId, commits, releases, builds, share }: Found, name: string, reader: Reader) {
  return {
    name,
    sentence: sentenceOf(releases, share, reader),
    commits: commits.slice(0, MAX_SHOWN).map(({ hash, message, author, committedAt }) => ({
      hash: shortHash(hash),
      message: firstLine(message),
      author,
      time: timeOf(committedAt, reader),
    })),
    releases: releases.slice(0, MAX_SHOWN).map(({ releaseId, version, phase, how }) => ({
      version,
      href: addressOf(addresses.release, { appId, releaseId }),
      ...statusLabel(PHASES, phase),
      how: how === 'introduced' ? 'brings it' : 'has it from an earlier one',
    })),
    builds: builds.slice(0, MAX_SHOWN).map(({ buildIdentifier, branch, buildStatus, buckets }) => ({
      name: buildIdentifier,
      branch,
      ...statusLabel(BUILD_STATUSES, buildStatus),
      buckets: buckets.map(({ id: bucketId, name: bucket }) => ({
        name: bucket,
        href: addressOf(addresses.bucket, { appId, bucketId }),
      })),
    })),
    left: leftOf([
      [commits, 'commit'],
      [releases, 'release'],
      [builds, 'build'],
    ]),
  }
}

/** Returns how far the change has come: to users, to a release, or to neither. */
function sentenceOf(
  releases: Found['releases'],
  { stores, since }: Found['share'],
  reader: Reader
) {
  const most = Math.max(0, ...stores.map(({ offered }) => offered))
  if (since !== null && most > 0) {
    const whom = most === 100 ? 'All users' : `${percentText(most)} of users`
    return `${whom} can have it, the first since ${inSentence(since, reader)}.`
  }
  const first = releases.findLast(({ how }) => how === 'introduced') ?? releases.at(-1)
  if (!first) return 'No release has it yet.'
  return since === null
    ? `It is in ${first.version}, which no user has yet.`
    : `It is in ${first.version}, which users no longer get.`
}

/** Returns how much is not shown; null for nothing. */
function leftOf(lists: readonly (readonly [readonly unknown[], string])[]): string | null {
  const left = lists
    .filter(([list]) => list.length > MAX_SHOWN)
    .map(([list, noun]) => counted(list.length - MAX_SHOWN, noun))
  return left.length > 0 ? `And ${left.join(', ')} more.` : null
}
