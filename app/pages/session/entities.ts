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
  url: url('URL to open; shown only once.'),
  expiresAt: instant('When the link expires, in UTC.'),
})

const SignInEntity = entity('SignInEntity', 'A session of a person in a browser.', {
  id: id('Id of the session, which is not its secret.'),
  client: text('Name of the browser; empty if unknown.', 300),
  createdAt: instant('When the person signed in, in UTC.'),
  seenAt: instant('When it last requested a page, in UTC, accurate to ten minutes.'),
  expiresAt: instant('When it expires unless it is used before, in UTC.'),
})

export const SignInsEntity = entity('SignInsEntity', 'Active sessions of a person.', {
  belongsElsewhere: flag(
    'Whether the account also belongs to another organization; its sessions are then not shown.'
  ),
  signIns: list('Active sessions, last used first.', SignInEntity, 10_000),
})

export const EndedSignIns = entity('EndedSignIns', 'Result of ending sessions.', {
  ended: Type.Integer({
    description: 'Number of sessions that were ended.',
    minimum: 0,
    maximum: 100_000,
  }),
})

export const DeviceLogin = entity('DeviceLogin', 'A pending sign-in of a program.', {
  deviceCode: nonEmpty('Secret code that the program polls with.', 100),
  userCode: nonEmpty('Code that the person compares or enters.', 20),
  verificationUri: url('URL of the page to enter the code on.'),
  verificationUriComplete: url('The same URL with the code.'),
  expiresIn: count('Seconds for which both codes are valid.'),
  interval: count('Seconds to wait between polls.'),
})

export const DeviceLoginKey = entity('DeviceLoginKey', 'A new personal key.', {
  key: secretKey,
  expiresAt: instant('When the key expires, in UTC.'),
  organization: object('Organization that the key is for.', {
    id: id('Id of the organization.'),
    name: nonEmpty('Name of the organization.', 200),
  }),
  person: described('Person that the key acts as.', Person),
})
