import type { Static } from '@sinclair/typebox'
import { entity, flag, id, instant, nonEmpty, nullable, text } from '#foundation/core/schemas'
import { testerSchema } from '../install_pages/entities.js'

export const TesterDeviceEntity = entity(
  'TesterDevice',
  'A device of Apple that a tester registered, for a profile that lets it install.',
  {
    id: id('Id of the device.'),
    udid: text('Identifier of the device (UDID), as Apple wants it.', 64),
    product: nonEmpty('Model, as Apple calls it.', 64),
    systemBuild: nullable(nonEmpty('Build of its system; null if unknown.', 32)),
    tester: nullable(testerSchema),
    isVerified: flag(
      'Whether the device signed this with a certificate of an authority that the service trusts (`DEVICE_AUTHORITIES`).'
    ),
    certificateIssuer: nullable(
      text('Who gave the device the certificate it signed with; null if unknown.', 255)
    ),
    registeredAt: instant('When it was first registered, in UTC.'),
    updatedAt: instant('When it was last registered, in UTC.'),
  }
)
export type TesterDeviceEntity = Static<typeof TesterDeviceEntity>
