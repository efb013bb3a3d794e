import { createHash } from 'node:crypto'
import { APP, STEP_CONFIGS } from '#apps/examples'
import { firstHash, timelineHash } from '#foundation/core/events/timeline_hash'
import { CI_KEY, GRACE_ACTING, ORG } from '#organizations/examples'
import { OwnRelease } from '../entities.js'
import { exampleRelease, RELEASE_ID, STEPS, VERSION } from '../examples.js'
import { releaseExtensions } from '../extensions.js'
import { hashedTexts } from '../texts/store_texts.js'
import { EVIDENCE_FORMAT } from './verify_evidence.js'

const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

const texts = hashedTexts([
  { locale: 'en-US', whatsNew: 'Log in with a passkey. The app starts faster.' },
])
const content = { chosenBuild: null, texts: [[STEPS.metadata, sha256(texts)]] }

/** The content that the example's approvals are bound to. */
export const exampleApproved = { content, contentHash: sha256(content) }

const of = 'rel_9sKx2QbN7wLm4TzVc8Ra'
const begins = firstHash(of)
const reported = {
  id: 'evt_2Rk8uQy1NjXo5CaLw117',
  type: 'release.created',
  title: `Release ${VERSION} was drafted`,
  occurredAt: '2026-11-02T09:00:00.000Z',
  actor: CI_KEY,
  stepConfigId: null,
  data: { version: VERSION },
}
const ends = timelineHash(begins, reported)

/** Returns the evidence of the example release, shortened to the first timeline entry. */
export function exampleEvidence(): object {
  const parts = releaseExtensions.all.map(({ presentation }) => presentation?.evidence?.example)
  const step = {
    id: STEPS.metadata,
    stepConfigId: STEP_CONFIGS.metadata,
    name: 'Metadata',
    type: 'metadata',
    required: true,
    status: 'complete',
    statusChangedAt: '2026-11-18T15:30:00.000Z',
    attempt: 1,
    decision: {
      by: GRACE_ACTING,
      at: '2026-11-18T15:30:00.000Z',
      comment: null,
      content: texts,
      contentHash: sha256(texts),
      approvedHash: sha256(texts),
    },
  }
  const release = exampleRelease('approved')
  return {
    format: EVIDENCE_FORMAT,
    organization: ORG,
    release: Object.fromEntries(
      Object.entries(release).filter(([name]) => name in OwnRelease.properties)
    ),
    steps: [step],
    ...(Object.assign({}, ...parts) as object),
    timeline: {
      of,
      begins,
      ends,
      entries: [{ position: 1, ...reported, previousHash: begins, hash: ends }],
    },
    seal: {
      digest: sha256(`${RELEASE_ID} ${APP.id}`),
      key: sha256('key'),
      signature: sha256('one') + sha256('two'),
    },
  }
}
