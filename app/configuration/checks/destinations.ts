import {
  DEFAULT_APP_STORE_RELEASE_SETTINGS,
  type AppStoreReleaseSettings,
  type AdditionalDestination,
  type WorkflowStepGroup,
} from '#apps/settings'
import { STORE_NAMES, storeKindOf, type AppPlatform } from '#apps/vocabulary'
import type { RolloutsConfiguration } from '#rollouts/configured_rollouts'
import type { Ground } from '#rollouts/policy/check_policy'
import { DESTINATIONS_KEY } from '../document.js'
import type { Patch } from '../model.js'
import type { Inspector, Element } from './inspector.js'
import { quote } from './problems.js'
import { checkAppStoreReleaseSettings } from './settings.js'

const MAX_DESTINATIONS = 50

/** Completes the store settings of a destination with defaults. */
export function completeStoreSettings(
  input: Patch<AppStoreReleaseSettings> | null | undefined
): AppStoreReleaseSettings {
  return {
    releaseMethod: input?.releaseMethod ?? DEFAULT_APP_STORE_RELEASE_SETTINGS.releaseMethod,
    phasedReleaseEnabled:
      input?.phasedReleaseEnabled ?? DEFAULT_APP_STORE_RELEASE_SETTINGS.phasedReleaseEnabled,
    inAppUpdatePriority: input?.inAppUpdatePriority ?? null,
  }
}

/** The content of `x-destinations`. */
interface DestinationsOfFile {
  destinations: AdditionalDestination[]
  destinationRollouts: RolloutsConfiguration['destinationRollouts']
}

/** Checks `x-destinations`: a map from name to settings. Names are unique, ignoring case. */
export function checkDestinations(
  inspector: Inspector,
  element: Element,
  platform: AppPlatform | undefined,
  groundOf: (destination: string) => Ground
): DestinationsOfFile {
  const taken = new Set(platform ? [STORE_NAMES[storeKindOf(platform)].toLowerCase()] : [])
  const entries = inspector.entries(element, 'destination to its settings', MAX_DESTINATIONS)
  const found: DestinationsOfFile = { destinations: [], destinationRollouts: [] }
  for (const { key, keyAt, value } of entries) {
    if (taken.has(key.toLowerCase())) {
      const message = `The app has a destination ${quote(key)} already`
      inspector.problems.add(keyAt, 'duplicate', message)
    }
    taken.add(key.toLowerCase())
    const fields = inspector.optional(value, (each) =>
      inspector.fields(each, ['appStoreReleaseSettings'])
    )
    const input = inspector.optional(fields?.appStoreReleaseSettings, (each) =>
      checkAppStoreReleaseSettings(inspector, each, platform, groundOf(key))
    )
    const appStoreReleaseSettings = completeStoreSettings(input?.settings)
    found.destinations.push({ name: key, appStoreReleaseSettings })
    const policy = input?.rollout
    if (policy) found.destinationRollouts.push({ destination: key, policy })
  }
  return found
}

/** Checks remaining steps of the app: they may still name a destination that the file removes. */
export function checkRemainingSteps(
  inspector: Inspector,
  element: Element,
  kept: readonly WorkflowStepGroup[],
  names: readonly string[]
): void {
  for (const { name, destination } of kept.flatMap(({ steps }) => steps)) {
    if (destination === undefined || names.includes(destination)) continue
    const message = `The step ${quote(name)} is of the destination ${quote(destination)}, which ${DESTINATIONS_KEY} does not name; give stepGroups too`
    inspector.problems.add(element, 'unknown_destination', message)
  }
}
