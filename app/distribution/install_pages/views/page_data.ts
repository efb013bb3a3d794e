import type { Instant } from '#foundation/core/clock'
import type { BuildDistroBuildEntity } from '../../entities.js'
import type { Device } from '../device.js'
import type { Offer } from '../offer.js'

/** The data of a build's page. */
export interface BuildPage {
  build: BuildDistroBuildEntity
  device: Device
  offer: Offer
  /** The app's name for people. */
  appName: string
  organizationName: string
  /** The tester of the link; null for anybody who has it. */
  testerName: string | null
  addresses: Addresses
  /** Path to register a device. */
  devicePath: string
  /** Path of the other builds; null for a link to this build alone. */
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
