import { flag, instant, optional, table, text } from '#foundation/core/database/table'

/** Devices that testers registered, so that a profile can be made for them. */
export const testerDevices = table('tester_devices', {
  id: text(),
  organizationId: text(),
  bucketId: text(),
  /** Null if the link was public. */
  userId: optional(text()),
  udid: text(),
  product: text(),
  /** The build of the operating system, as the device reports it. */
  systemBuild: optional(text()),
  /** True if the signature of its data is valid. */
  isVerified: flag(),
  /** Issuer of the device certificate; null if unknown. */
  certificateIssuer: optional(text()),
  registeredAt: instant(),
  updatedAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    tester_devices: typeof testerDevices
  }
}
