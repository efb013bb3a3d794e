import { Type } from '@sinclair/typebox'
import {
  count,
  described,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  object,
  text,
  url,
} from '#foundation/core/schemas'
import { Person, secretKey } from '#organizations/entities'

export const SignInLinkEntity = entity('SignInLinkEntity', 'A link that signs a person in once.', {
  url: url('Address to open; shown this once.'),
  expiresAt: instant('Until when it is good, in UTC.'),
})

const SignInEntity = entity('SignInEntity', 'A browser that a person is signed in with.', {
  id: id('Id of the session, which is not its secret.'),
  client: text('How the browser names itself; empty if it does not.', 300),
  createdAt: instant('Since when the person is signed in, in UTC.'),
  seenAt: instant('When it last asked for a page, in UTC, to ten minutes.'),
  expiresAt: instant('When it ends unless it is used before, in UTC.'),
})

export const SignInsEntity = entity('SignInsEntity', 'Where a person is signed in.', {
  belongsElsewhere: flag(
    'Whether the account belongs to another organization, too: its sessions are not shown then.'
  ),
  signIns: list('Sessions that have not ended, the one used last first.', SignInEntity, 10_000),
})

export const EndedSignIns = entity('EndedSignIns', 'What became of sessions.', {
  ended: Type.Integer({
    description: 'How many sessions were ended.',
    minimum: 0,
    maximum: 100_000,
  }),
})

export const DeviceLogin = entity('DeviceLogin', 'A program that asks to be signed in.', {
  deviceCode: nonEmpty('Code that the program polls with; a secret.', 100),
  userCode: nonEmpty('Code that the person compares, or types.', 20),
  verificationUri: url('Page where the person types it.'),
  verificationUriComplete: url('The same page with the code.'),
  expiresIn: count('Seconds that both codes are good for.'),
  interval: count('Seconds to wait between two polls.'),
})

export const DeviceLoginKey = entity('DeviceLoginKey', 'A personal key, with the key itself.', {
  key: secretKey,
  expiresAt: instant('When it expires, in UTC.'),
  organization: object('The organization that it is for.', {
    id: id('Id of the organization.'),
    name: nonEmpty('Its name.', 200),
  }),
  person: described('The person it acts as.', Person),
})
