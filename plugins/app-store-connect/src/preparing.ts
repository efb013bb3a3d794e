import {
  type AppStore,
  isSameVersion,
  type StoreVersion,
  unless,
  refused,
} from '@tarmac/plugin-kit'
import { LISTED_MS, PLATFORM, type AppStoreConnect } from './api.js'
import { requireUsable, findBuild } from './builds.js'
import { VERSION_TAKEN } from './errors.js'
import type { Apple } from './operations.js'
import { EDITABLE } from './states.js'
import { findVersion, findVersions, rawStateOf, versionOf, type FoundVersion } from './versions.js'

type Input = Parameters<AppStore['prepare']>[0]

const HOUR_MS = 3_600_000

/** Delay before a caller retries when the store does not show the version yet, in milliseconds. */
const SHOWN_MS = 15_000

/**
 * Creates a version with its build, or changes the existing one: three calls, and one if its phased
 * release changes. It looks for an existing one first, since Apple has no idempotency keys.
 */
export async function prepare(api: AppStoreConnect, input: Input): Promise<StoreVersion> {
  const { build, versionName } = await findBuild(api, input)
  const known = await findNamed(api, input.version)
  if (known && !EDITABLE.includes(rawStateOf(known.version))) {
    if (known.build?.id === build.id) return versionOf(api, known)
    throw refused('conflict', {
      reason: 'notEditable',
      message: `Version ${input.version} has another build, and cannot be changed now.`,
      action: 'Whoever releases cancels its review first.',
    })
  }
  requireUsable(build)
  const seen = api.begin(0)
  const made = known ? null : await makeVersion(api, { ...input, version: versionName }, build)
  const before = known ?? made ?? (await findHidden(api, input.version))
  const version = made?.version ?? (await changeVersion(api, before.version.id, input, build))
  const phased = await setPhased(api, { ...before, version }, input.phased)
  return versionOf(api, { version: withBuild(version, build), build, phased, seen })
}

const releaseOf = (release: Input['release']) => {
  if (release === 'manual') return { releaseType: 'MANUAL', earliestReleaseDate: null } as const
  if (release === 'auto') {
    return { releaseType: 'AFTER_APPROVAL', earliestReleaseDate: null } as const
  }
  return { releaseType: 'SCHEDULED', earliestReleaseDate: fullHourFrom(release.at) } as const
}

/** Returns the first full hour at or after a time: Apple schedules releases by the hour. */
const fullHourFrom = (at: string) =>
  new Date(Math.ceil(Date.parse(at) / HOUR_MS) * HOUR_MS).toISOString()

const withBuild = (version: Apple.AppStoreVersion, { id }: Apple.Build): Apple.AppStoreVersion => ({
  ...version,
  relationships: { ...version.relationships, build: { data: { type: 'builds', id } } },
})

async function findNamed(api: AppStoreConnect, version: string): Promise<FoundVersion | null> {
  const { found } = await findVersions(api, { version })
  return (
    found.find((each) => isSameVersion(each.version.attributes?.versionString ?? '', version)) ??
    null
  )
}

/** Creates a version; returns null if its name is taken. */
async function makeVersion(
  api: AppStoreConnect,
  input: Input,
  build: Apple.Build
): Promise<FoundVersion | null> {
  const { releaseType, earliestReleaseDate } = releaseOf(input.release)
  const appId = await api.appId()
  const made = await unless(
    api.change('POST /v1/appStoreVersions', null, {
      data: {
        type: 'appStoreVersions',
        attributes: {
          platform: PLATFORM,
          versionString: input.version,
          releaseType,
          ...(earliestReleaseDate === null ? {} : { earliestReleaseDate }),
        },
        relationships: {
          app: { data: { type: 'apps', id: appId } },
          build: { data: { type: 'builds', id: build.id } },
        },
      },
    }),
    ({ detail }) => detail.reason === VERSION_TAKEN.reason
  )
  return made && { version: made.data, build, phased: null, seen: api.begin(0) }
}

/** Waits until reads show a version that was already created, whose name is therefore taken. */
async function findHidden(api: AppStoreConnect, version: string): Promise<FoundVersion> {
  const taken = refused('invalid', { message: VERSION_TAKEN.reason, ...VERSION_TAKEN })
  for (const milliseconds of LISTED_MS) {
    await api.ctx.pause(milliseconds)
    const found = await findNamed(api, version)
    if (found && EDITABLE.includes(rawStateOf(found.version))) return found
    if (found) throw taken
  }
  // An old version with that name would be lower than current ones; a new one would not.
  const { found } = await findVersions(api, {})
  const isOld = found.some(
    (each) => compareVersions(each.version.attributes?.versionString ?? '', version) > 0
  )
  if (isOld) throw taken
  throw refused('preconditionFailed', {
    reason: 'preparing',
    message: 'Apple does not show the version yet.',
    retryAfterMs: SHOWN_MS,
  })
}

/** Compares versions by their numbers; a missing one is zero. */
function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number))
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

async function changeVersion(
  api: AppStoreConnect,
  id: string,
  { release }: Input,
  build: Apple.Build
): Promise<Apple.AppStoreVersion> {
  const { data } = await api.onceThere(() =>
    api.change(
      'PATCH /v1/appStoreVersions/{id}',
      id,
      {
        data: {
          type: 'appStoreVersions',
          id,
          attributes: releaseOf(release),
          relationships: { build: { data: { type: 'builds', id: build.id } } },
        },
      },
      { isRepeatable: true }
    )
  )
  return data
}

/** Switches the phased release of a version on or off: one call if it changes. */
async function setPhased(
  api: AppStoreConnect,
  { version, phased }: FoundVersion,
  isWanted: boolean
): Promise<Apple.AppStoreVersionPhasedRelease | null> {
  if (isWanted === (phased !== null)) return phased
  if (phased) {
    await unless(
      api.change('DELETE /v1/appStoreVersionPhasedReleases/{id}', phased.id, undefined),
      ({ code }) => code === 'notFound'
    )
    return null
  }
  const make = () =>
    api.change('POST /v1/appStoreVersionPhasedReleases', null, {
      data: {
        type: 'appStoreVersionPhasedReleases',
        attributes: { phasedReleaseState: 'INACTIVE' },
        relationships: { appStoreVersion: { data: { type: 'appStoreVersions', id: version.id } } },
      },
    })
  return api.madeOnce(
    async () => (await api.onceThere(make)).data,
    async () => (await findVersion(api, version.id)).phased
  )
}
