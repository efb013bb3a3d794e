import type { Static } from '@sinclair/typebox'
import { entity, flag, id, instant, nonEmpty, nullable, text } from '#foundation/core/schemas'
import { testerSchema } from '../install_pages/entities.js'

export const TesterDeviceEntity = entity(
  'TesterDevice',
  'An Apple device that a tester registered for a provisioning profile.',
  {
    id: id('Id of the device.'),
    udid: text('Identifier of the device (UDID), as Apple requires it.', 64),
    product: nonEmpty('Model identifier used by Apple.', 64),
    systemBuild: nullable(nonEmpty('Build of its OS; null if unknown.', 32)),
    tester: nullable(testerSchema),
    isVerified: flag(
      'Whether the device signed this with a certificate from an authority that the service trusts (`DEVICE_AUTHORITIES`).'
    ),
    certificateIssuer: nullable(
      text('Issuer of the certificate that the device signed with; null if unknown.', 255)
    ),
    registeredAt: instant('When it was first registered, in UTC.'),
    updatedAt: instant('When it was last registered, in UTC.'),
  }
)
export type TesterDeviceEntity = Static<typeof TesterDeviceEntity>
