import type { Module } from '#foundation/api/module'
import { organizationParts } from '#organizations/parts'
import { events } from './events.js'
import { organizationPart } from './organization_part.js'

/** Buckets, in which builds are handed to testers. */
export const distribution: Module = {
  name: 'distribution',
  events,
  extensions: [organizationParts.extend(organizationPart)],
}
