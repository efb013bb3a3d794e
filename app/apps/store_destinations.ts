import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import Destination from './models/destination.js'
import type { AdditionalDestination } from './settings.js'
import { storeKindOf, type AppPlatform } from './vocabulary.js'

/** Ids of destinations by name. The first destination is also stored under the key null. */
export type DestinationIds = ReadonlyMap<string | null, string>

/** Returns the destinations of an app in their order. */
export function destinationsOf(scope: Scope, appId: string): Promise<Destination[]> {
  return scope.query(Destination).where('appId', appId).orderBy('position').exec()
}

export function idsByName(destinations: readonly Destination[]): DestinationIds {
  const first = destinations.slice(0, 1).map(({ id }) => [null, id] as const)
  return new Map([...first, ...destinations.map(({ name, id }) => [name, id] as const)])
}

/**
 * Makes the destinations of an app match a list. Destinations are matched by name, ignoring case.
 * Destinations that are not on the list are returned as `unlisted`. The caller deletes them once no
 * step uses them.
 */
export async function storeDestinations(
  scope: Scope,
  app: { id: string; platform: AppPlatform },
  wanted: readonly AdditionalDestination[]
): Promise<{ destinationIds: DestinationIds; unlisted: Destination[] }> {
  const present = await destinationsOf(scope, app.id)
  const byKey = new Map(present.map((each) => [each.name.toLowerCase(), each]))
  const stored: Destination[] = []
  for (const [position, { name, appStoreReleaseSettings }] of wanted.entries()) {
    const known = byKey.get(name.toLowerCase())
    if (known) {
      known.merge({ name, appStoreReleaseSettings, position })
      stored.push(await known.useTransaction(scope.transaction).save())
    } else {
      stored.push(
        await scope.create(Destination, {
          id: newId('dest'),
          appId: app.id,
          name,
          storeType: storeKindOf(app.platform),
          position,
          appStoreReleaseSettings,
          createdAt: scope.now,
        })
      )
    }
  }
  const kept = new Set(stored.map(({ id }) => id))
  return {
    destinationIds: idsByName(stored),
    unlisted: present.filter(({ id }) => !kept.has(id)),
  }
}
