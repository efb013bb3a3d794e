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
  enumOf,
} from '#foundation/core/schemas'
import { ADA_ACTING } from '#organizations/examples'
import { ReleaseTimelinePhaseSchema, releaseId, versionText } from '../entities.js'
import { RELEASE_ID, VERSION } from '../examples.js'

export const ReleaseLinkEntity = entity(
  'ReleaseLink',
  'A URL that shows a release to people without an account.',
  {
    id: id('Id of the link.'),
    releaseId: releaseId(),
    url: url('URL of the page; anyone who has it can view it.'),
    createdAt: instant('When the link was created, in UTC.'),
    createdBy: described('Who created the link.', ActorEntity),
    expiresAt: nullable(instant('When the link expires, in UTC; null until the release ends.')),
  }
)
export type ReleaseLinkEntity = Static<typeof ReleaseLinkEntity>

/** The kinds of the next event that everybody may see. */
export const SHARED_MOVES = ['kickoff', 'submission', 'release', 'rollout'] as const
export type SharedMove = (typeof SHARED_MOVES)[number]

/** States of a rollout that has begun. */
const ROLLOUT_STATES = ['active', 'paused', 'halted', 'completed', 'replaced'] as const

export const SharedReleaseEntity = entity('SharedRelease', 'The public view of a release.', {
  appName: nonEmpty('Name of the app.', 100),
  platform: enumOf(APP_PLATFORMS, 'Platform of the app.'),
  version: versionText('Version of the release.'),
  phase: described('Phase of the release.', ReleaseTimelinePhaseSchema),
  rollout: nullable(
    object('The least advanced rollout; null before one begins.', {
      state: enumOf(ROLLOUT_STATES, 'Status of the rollout.'),
      percentage: percentage('Share of users who can get the release.'),
    })
  ),
  next: nullable(
    object('The next dated event; null if none.', {
      what: enumOf(SHARED_MOVES, 'Kind of event.'),
      at: instant('Time of the event, in UTC.'),
      percentage: Type.Optional(percentage('Share of users that the rollout reaches.')),
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
