import type { Instant } from '#foundation/core/clock'
import type { BuildDistroBuildEntity } from '../../entities.js'
import type { Device } from '../device.js'
import type { Offer } from '../offer.js'

/** What a page of a build shows. */
export interface BuildPage {
  build: BuildDistroBuildEntity
  device: Device
  offer: Offer
  /** What people know the app as. */
  appName: string
  organizationName: string
  /** Who the link is for; null for whoever has it. */
  testerName: string | null
  addresses: Addresses
  /** Where a device is registered. */
  devicePath: string
  /** Where the other builds are listed; null for a link to this build alone. */
  listPath: string | null
  now: Instant
}

/** Absolute addresses, each of which lets in by itself. */
interface Addresses {
  page: string
  icon: string
  package: string
  /** For iOS, already as the link that installs. */
  install: string
}
