import { Type } from '@sinclair/typebox'
import { entity, flag, id, instant, list, text, url } from '#foundation/core/schemas'

export const SignInLinkEntity = entity('SignInLinkEntity', 'A link that signs a person in once.', {
  url: url('Address to open; shown this once.'),
  expiresAt: instant('Until when it is good, in UTC.'),
})

const SignInEntity = entity('SignInEntity', 'A browser that a person is signed in with.', {
  id: id('Id of the session, which is not its secret.'),
  client: text('How the browser names itself; empty where it does not.', 300),
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
