import type { Instant } from '#foundation/core/clock'
import type { BuildDistroBuildEntity } from '../../entities.js'
import type { Device } from '../device.js'
import type { Offer } from '../offer.js'

/** The data of a build's page. */
export interface BuildPage {
  build: BuildDistroBuildEntity
  device: Device
  offer: Offer
  /** The display name of the app. */
  appName: string
  organizationName: string
  /** The tester to whom the link belongs; null if it is not personal. */
  testerName: string | null
  addresses: Addresses
  /** Path of the page to register a device. */
  devicePath: string
  /** Path of the list of builds; null for a link to this build alone. */
  listPath: string | null
  now: Instant
}

/** Absolute addresses, each of which gives access without a key. */
interface Addresses {
  page: string
  icon: string
  package: string
  /** The `itms-services` link that installs on iOS; empty without HTTPS. */
  install: string
}
