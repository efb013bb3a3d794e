import { addresses, addressOf } from '../addresses.js'

/** Returns the tabs for the two lists: people and groups. */
export const sectionsOf = (orgId: string, here: 'people' | 'groups') => [
  { name: 'People', href: addressOf(addresses.people, { orgId }), isHere: here === 'people' },
  { name: 'Groups', href: addressOf(addresses.groups, { orgId }), isHere: here === 'groups' },
]
