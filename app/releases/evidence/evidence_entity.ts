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
  words,
} from '#foundation/core/schemas'
import { OwnRelease, ReleaseStepStatusSchema } from '../entities.js'
import { releaseExtensions } from '../extensions.js'
import { boundTo, sha256 } from './schemas.js'
import { EVIDENCE_FORMAT } from './verify_evidence.js'

const EvidenceEntry = entity('EvidenceEntry', 'An entry of the timeline, as it is hashed.', {
  position: Type.Integer({ description: 'Place in the timeline, from 1.', minimum: 1 }),
  id: id('Id of the entry.'),
  type: nonEmpty('What happened.', 64),
  title: text('What happened, for people.', 1000),
  occurredAt: instant('When it happened, in UTC.'),
  actor: described('Who did it.', ActorEntity),
  stepConfigId: nullable(id('Id of the step it is about; null for the whole release.')),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'What goes with it.' }),
  previousHash: sha256('Hash of the entry before.'),
  hash: sha256('SHA-256 over `previousHash` and what the entry says.'),
})

const decision = object('What a person decided of the whole step; null if nobody did.', {
  by: described('Who decided.', ActorEntity),
  at: instant('When, in UTC.'),
  comment: nullable(text('In which words; null without any.', 10_000)),
  ...boundTo(
    'The store texts of the step: of each locale its members by name; empty without any.',
    Type.Array(
      Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }), { maxItems: 20 }),
      { maxItems: 200 }
    )
  ),
  approvedHash: nullable(sha256('`contentHash` of what was approved; null if it was not.')),
})

const EvidenceStep = entity('EvidenceStep', 'A step of the release, in its current attempt.', {
  id: id('Id of the step within the release.'),
  stepConfigId: id('Id of the step in the workflow of the app.'),
  name: nonEmpty('Name of the step.', 210),
  type: described('What the step is about.', ReleaseStepTypeSchema),
  required: flag('Whether readiness of the release waits for the step.'),
  status: described('How far it is.', ReleaseStepStatusSchema),
  statusChangedAt: nullable(instant('When that last changed, in UTC; null before.')),
  attempt: Type.Integer({ description: 'Number of the attempt, from 1.', minimum: 1 }),
  decision: nullable(decision),
})

const timeline = object('Everything that happened, and the chain that holds it together.', {
  of: id('What the first hash is made of.'),
  begins: sha256('Where the chain begins: SHA-256 of `timeline <of>`.'),
  ends: sha256('The hash of the last entry.'),
  entries: list('The entries, oldest first.', EvidenceEntry, 10_000_000),
})

const seal = object('What proves the bytes of the file: its last member.', {
  digest: sha256('SHA-256 of all bytes before `,\\n"seal"`.'),
  key: sha256('Public key of the service (Ed25519).'),
  signature: Type.String({
    description: 'Signature over `<format> <digest>`.',
    pattern: '^[0-9a-f]{128}$',
  }),
})

/** The evidence of a release for an auditor. Extensions add their sections. */
export const EvidenceEntity = deferred<object>(() =>
  entity('EvidenceEntity', 'What there is to prove of a release, in one file.', {
    format: words([EVIDENCE_FORMAT], 'What the file is.'),
    organization: object('Whose release it is.', {
      id: id('Id of the organization.'),
      name: nonEmpty('Name of the organization.', 200),
    }),
    release: described('The release, as it stands.', OwnRelease),
    steps: list('Its steps, in the order of the workflow.', EvidenceStep, 10_000),
    ...Object.assign(
      {},
      ...releaseExtensions.all.map(({ presentation }) => presentation?.evidence?.schema)
    ),
    timeline,
    seal,
  })
)
