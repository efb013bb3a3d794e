import type { IconName } from './icon_names.js'
import { addresses, addressOf } from '../addresses.js'
import { type Place, type Reader } from './page.js'

interface PlaceEntry {
  place: Place
  name: string
  icon: IconName
  /** Address of the page. */
  path: string
  /** The operation that the page needs. */
  needs: string
}

/** The entries of the navigation, in their order. */
const GROUPS: readonly { title: string | null; entries: readonly PlaceEntry[] }[] = [
  {
    title: null,
    entries: [
      {
        place: 'home',
        name: 'Home',
        icon: 'house',
        path: addresses.home,
        needs: 'getOrganizationOverview',
      },
      {
        place: 'turn',
        name: 'Your turn',
        icon: 'hand',
        path: addresses.turn,
        needs: 'getOrganizationOverview',
      },
    ],
  },
  {
    title: 'Organization',
    entries: [
      {
        place: 'providers',
        name: 'Providers',
        icon: 'plug',
        path: addresses.connections,
        needs: 'listConnections',
      },
      {
        place: 'webhooks',
        name: 'Webhooks',
        icon: 'webhook',
        path: addresses.webhooks,
        needs: 'listWebhookEndpoints',
      },
      {
        place: 'keys',
        name: 'Keys',
        icon: 'key-round',
        path: addresses.keys,
        needs: 'listApiKeys',
      },
      {
        place: 'people',
        name: 'People and groups',
        icon: 'users',
        path: addresses.people,
        needs: 'listUsers',
      },
    ],
  },
]

/** Keyboard shortcuts of places: `g`, then a letter. */
const SHORTCUTS: Readonly<Partial<Record<Place, string>>> = { home: 'g h', turn: 'g t' }

/** Organizations that a reader belongs to, by name. */
export type Organizations = readonly { id: string; name: string }[]

interface NavigationContext {
  organizations: Organizations
  here: Place | null
  turnCount: number
}

/**
 * Returns the navigation of a reader, without entries whose operations they may not call.
 */
export function navigationOf(
  reader: Reader,
  { organizations, here, turnCount }: NavigationContext
) {
  const { id: orgId, name } = reader.principal.organization
  const groups = GROUPS.map(({ title, entries }) => ({
    title,
    entries: entries
      .filter(({ needs }) => reader.may(needs))
      .map((entry) => ({
        name: entry.name,
        icon: entry.icon,
        href: addressOf(entry.path, { orgId }),
        isHere: entry.place === here,
        key: SHORTCUTS[entry.place] ?? null,
        count: entry.place === 'turn' ? turnCount : 0,
      })),
  })).filter(({ entries }) => entries.length > 0)
  const turn = groups.flatMap(({ entries }) => entries).find((entry) => entry.icon === 'hand')
  return {
    organization: name,
    home: addressOf(addresses.home, { orgId }),
    person: reader.account.name,
    initials: initialsOf(reader.account.name),
    others: organizations
      .filter((each) => each.id !== orgId)
      .map((each) => ({ name: each.name, href: `/dashboard/org/${each.id}` })),
    groups,
    turn: turn ? { href: turn.href, count: turnCount, label: `Your turn: ${turnCount}` } : null,
  }
}

/** Returns the first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words[words.length - 1]] : words
  return ends.map((word) => [...word][0].toUpperCase()).join('')
}
