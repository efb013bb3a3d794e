import {
  isProviderError,
  type AppStore,
  type ProviderError,
  type StoreVersion,
  refused,
} from '@tarmac/plugin-kit'
import type { AppStoreConnect } from './api.js'
import { ROLLOUTS } from './states.js'
import { findVersion, versionOf } from './versions.js'

type Wanted = Parameters<AppStore['setRollout']>[1]

const STATES = { pause: 'PAUSED', resume: 'ACTIVE', complete: 'COMPLETE' } as const

/**
 * Changes a phased release: two calls. It is independent of reviews. Users keep the version they
 * have, because a phased release limits only automatic updates.
 */
export async function setRollout(
  api: AppStoreConnect,
  versionId: string,
  to: Wanted
): Promise<{ before: StoreVersion; after: StoreVersion }> {
  const action = actionOf(to)
  const found = await findVersion(api, versionId)
  const before = versionOf(api, found)
  const { phased } = found
  if (!phased) {
    // Without a phased release, all users have the version once it is live.
    if (action === 'complete' && before.status.state === 'live') return { before, after: before }
    throw notPhased()
  }
  // A pause is always sent, because the read may be older than the release.
  if (before.rollout?.state === 'inactive' && action !== 'pause') throw notBegun(before)
  // A phased release starts by itself once the version is released.
  if (action === 'start') return { before, after: before }
  const seen = api.begin(0)
  try {
    const { data } = await api.change(
      'PATCH /v1/appStoreVersionPhasedReleases/{id}',
      phased.id,
      {
        data: {
          type: 'appStoreVersionPhasedReleases',
          id: phased.id,
          attributes: { phasedReleaseState: STATES[action] },
        },
      },
      { isRepeatable: true }
    )
    return { before, after: versionOf(api, { ...found, phased: merged(phased, data), seen }) }
  } catch (error) {
    // The state may be reached already, by a person in the console or a call whose answer was lost.
    if (!isProviderError(error) || !ABOUT_STATE.includes(error.code)) throw error
    const after = versionOf(api, await findVersion(api, versionId))
    if (after.rollout?.state !== ROLLOUTS[STATES[action]]) throw error
    return { before, after }
  }
}

const ABOUT_STATE: readonly string[] = ['conflict', 'preconditionFailed', 'invalid']

/** Merges the answer to a change, which may have only the changed attributes. */
const merged = <Resource extends { attributes?: object }>(before: Resource, now: Resource) => ({
  ...before,
  attributes: { ...before.attributes, ...now.attributes },
})

/**
 * Translates the change into Apple's actions. Halting means pausing, since App Store Connect cannot
 * recall a version.
 * @throws ProviderError
 */
function actionOf(to: Wanted): 'start' | 'pause' | 'resume' | 'complete' {
  if ('action' in to) return to.action === 'halt' ? 'pause' : to.action
  if (to.fraction === 1) return 'complete'
  if (to.fraction > 0 && to.fraction < 1) {
    throw refused('unsupported', {
      reason: 'fraction',
      message: 'Shares of a phased release follow its days: 1, 2, 5, 10, 20, 50 and 100 %.',
    })
  }
  throw refused('invalid', {
    reason: 'fraction',
    message: 'A share of users is above 0 and at most 1.',
  })
}

/** Returns the refusal for a phased release that has not begun, or whose state is unknown. */
function notBegun({ rollout, status }: StoreVersion): ProviderError {
  const raw = rollout?.raw ?? ''
  if (!Object.hasOwn(ROLLOUTS, raw)) {
    return refused('preconditionFailed', {
      reason: 'rolloutUnknown',
      message: `Apple shows the phased release as ${raw.slice(0, 80)}, which is unknown here.`,
      action: 'Whoever releases looks at it in App Store Connect, and changes it there.',
    })
  }
  const isOut = status.state === 'rolledOutPartially'
  return refused('preconditionFailed', {
    reason: 'notLive',
    message: isOut
      ? `The version is live, and Apple shows its phased release as ${raw}: it has not begun.`
      : 'The version is not released, so its phased release has not begun.',
    ...(isOut
      ? { action: 'Whoever releases waits until it has, or looks at it in App Store Connect.' }
      : {}),
  })
}

const notPhased = () =>
  refused('preconditionFailed', {
    reason: 'notPhased',
    message: 'The version has no phased release: once it is live all users have it.',
    action:
      'Whoever releases ships a fix, or an Admin removes the app from sale in App Store Connect.',
  })
