import { Type } from '@sinclair/typebox'
import { ReleaseStepTypeSchema } from '#apps/entities'
import {
  ActorEntity,
  deferred,
  described,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  enumOf,
} from '#foundation/core/schemas'
import { OwnRelease, ReleaseStepStatusSchema } from '../entities.js'
import { releaseExtensions } from '../extensions.js'
import { boundTo, sha256 } from './schemas.js'
import { EVIDENCE_FORMAT } from './verify_evidence.js'

const EvidenceEntry = entity('EvidenceEntry', 'A timeline entry, as hashed.', {
  position: Type.Integer({ description: 'Position in the timeline, from 1.', minimum: 1 }),
  id: id('Id of the entry.'),
  type: nonEmpty('Type of the entry.', 64),
  title: text('Human-readable summary.', 1000),
  occurredAt: instant('When the event happened, in UTC.'),
  actor: described('Who caused the event.', ActorEntity),
  stepConfigId: nullable(id('Id of the workflow step concerned; null for the whole release.')),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'Details of the entry.' }),
  previousHash: sha256('Hash of the previous entry.'),
  hash: sha256('SHA-256 of `previousHash` and the entry.'),
})

const decision = object('Decision on the whole step; null if none.', {
  by: described('Who decided.', ActorEntity),
  at: instant('When the decision was made, in UTC.'),
  comment: nullable(text('Comment; null if none.', 10_000)),
  ...boundTo(
    'Store texts of the step: the fields of each locale by name; empty if none.',
    Type.Array(
      Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }), { maxItems: 20 }),
      { maxItems: 200 }
    )
  ),
  approvedHash: nullable(sha256('`contentHash` of the approved content; null if not approved.')),
})

const EvidenceStep = entity('EvidenceStep', 'A step of the release, in its current attempt.', {
  id: id('Id of the step within the release.'),
  stepConfigId: id('Id of the step in the workflow of the app.'),
  name: nonEmpty('Name of the step.', 210),
  type: described('Type of the step.', ReleaseStepTypeSchema),
  required: flag('Whether release readiness depends on the step.'),
  status: described('Status of the step.', ReleaseStepStatusSchema),
  statusChangedAt: nullable(instant('When the status last changed, in UTC; null if it never has.')),
  attempt: Type.Integer({ description: 'Number of the attempt, from 1.', minimum: 1 }),
  decision: nullable(decision),
})

const timeline = object('The timeline and its hash chain.', {
  of: id('Id from which the first hash is derived.'),
  begins: sha256('Start of the chain: SHA-256 of `timeline <of>`.'),
  ends: sha256('Hash of the last entry.'),
  entries: list('The entries, oldest first.', EvidenceEntry, 10_000_000),
})

const seal = object('Proof of the bytes of the file: its last member.', {
  digest: sha256('SHA-256 of all bytes preceding `,\\n"seal"`.'),
  key: sha256('Public key of the service (Ed25519).'),
  signature: Type.String({
    description: 'Signature of `<format> <digest>`.',
    pattern: '^[0-9a-f]{128}$',
  }),
})

/** The evidence of a release for an auditor. Extensions add their sections. */
export const EvidenceEntity = deferred<object>(() =>
  entity('EvidenceEntity', 'Evidence of a release, in one file.', {
    format: enumOf([EVIDENCE_FORMAT], 'Format of the file.'),
    organization: object('Organization of the release.', {
      id: id('Id of the organization.'),
      name: nonEmpty('Name of the organization.', 200),
    }),
    release: described('The release in its current state.', OwnRelease),
    steps: list('Steps of the release, in workflow order.', EvidenceStep, 10_000),
    ...Object.assign(
      {},
      ...releaseExtensions.all.map(({ presentation }) => presentation?.evidence?.schema)
    ),
    timeline,
    seal,
  })
)
