import { Type, type Static } from '@sinclair/typebox'
import { APP } from '#apps/examples'
import { APP_PLATFORMS } from '#apps/vocabulary'
import {
  ActorEntity,
  described,
  entity,
  id,
  instant,
  nonEmpty,
  nullable,
  object,
  percentage,
  url,
  words,
} from '#foundation/core/schemas'
import { ADA_ACTING } from '#organizations/examples'
import { ReleaseTimelinePhaseSchema, releaseId, versionText } from '../entities.js'
import { RELEASE_ID, VERSION } from '../examples.js'

export const ReleaseLinkEntity = entity(
  'ReleaseLink',
  'An address that shows a release to people without an account.',
  {
    id: id('Id of the link.'),
    releaseId: releaseId(),
    url: url('Address of the page; whoever has it sees it.'),
    createdAt: instant('When it was made, in UTC.'),
    createdBy: described('Who made it.', ActorEntity),
    expiresAt: nullable(instant('When it ends, in UTC; null until the release is over.')),
  }
)
export type ReleaseLinkEntity = Static<typeof ReleaseLinkEntity>

/** The kinds of the next event that everybody may see. */
export const SHARED_MOVES = ['kickoff', 'submission', 'release', 'rollout'] as const
export type SharedMove = (typeof SHARED_MOVES)[number]

/** States of a rollout that has begun. */
const ROLLOUT_STATES = ['active', 'paused', 'halted', 'completed', 'replaced'] as const

export const SharedReleaseEntity = entity('SharedRelease', 'A release as everybody may see it.', {
  appName: nonEmpty('Name of the app.', 100),
  platform: words(APP_PLATFORMS, 'The platform it runs on.'),
  version: versionText('Version of the release.'),
  phase: described('How far it is.', ReleaseTimelinePhaseSchema),
  rollout: nullable(
    object('The rollout that is furthest from its end; null before one begins.', {
      state: words(ROLLOUT_STATES, 'How far it is.'),
      percentage: percentage('Share of users who can have the release.'),
    })
  ),
  next: nullable(
    object('The next move that has a date; null without one.', {
      what: words(SHARED_MOVES, 'What happens.'),
      at: instant('When, in UTC.'),
      percentage: Type.Optional(percentage('Share of users that a rollout grows to.')),
    })
  ),
})
export type SharedReleaseEntity = Static<typeof SharedReleaseEntity>

/** Example of the token at the end of an address. */
export const EXAMPLE_TOKEN = '6cVb3NzQ8xLk1WpRt5HjmQ2vXf8Kp-0cYd_5uTnZ4A'

export const exampleLink: ReleaseLinkEntity = {
  id: 'shr_6cVb3NzQ8xLk1WpRt5Hj',
  releaseId: RELEASE_ID,
  url: `https://tarmac.acme.example/shared/${EXAMPLE_TOKEN}`,
  createdAt: '2026-11-16T11:45:00.000Z',
  createdBy: ADA_ACTING,
  expiresAt: null,
}

export const exampleShared: SharedReleaseEntity = {
  appName: APP.name,
  platform: APP.platform,
  version: VERSION,
  phase: 'rollingOut',
  rollout: { state: 'active', percentage: 20 },
  next: { what: 'rollout', at: '2026-11-27T09:00:00.000Z', percentage: 50 },
}
