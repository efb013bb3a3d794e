import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import { events } from '#foundation/core/events/tables'
import { firstHash } from '#foundation/core/events/timeline_hash'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { unitOfWork } from '#foundation/core/services'
import { yieldToOthers } from '#foundation/core/yielding'
import { approvedContent } from '../approvals/approved_content.js'
import { releaseExtensions } from '../extensions.js'
import { readRelease, type FoundRelease } from '../queries/read_release.js'
import { stepRows, type StepRow } from '../queries/step_rows.js'
import { timelineEnd } from '../queries/verify_timeline.js'
import { contentHash, hashedTexts } from '../texts/store_texts.js'
import { ownMembers } from '../transformers/release_entity.js'
import { EVIDENCE_FORMAT } from './verify_evidence.js'
import { writeEvidence } from './write_evidence.js'

/** Reads JSON columns as text, since evidence has to include even rows that were tampered with. */
const ENTRIES = select(
  {
    ...of(events, 'e', ['position', 'id', 'type', 'title', 'occurredAt', 'stepConfigId']),
    ...of(events, 'e', ['previousHash', 'hash']),
    actor: as(text(), 'e.actor'),
    data: as(text(), 'e.data'),
  },
  `from events e where e.organization_id = :org and e.release_id = :releaseId
    and e.position > :after order by e.position limit :limit`
)

const ENTRIES_PER_READ = 500

/** Maximum number of reads if the release changes while it is read. */
const MAX_ATTEMPTS = 5

/** The evidence of a release, and the name of its file. */
interface Evidence {
  bytes: Buffer
  fileName: string
}

/**
 * Builds the evidence of a release as one file. The same state gives the same bytes.
 * @throws not_found; Moved; not_ready while the release changes too often
 */
export async function gatherEvidence(
  asking: Scope,
  appId: string,
  releaseId: string
): Promise<Evidence> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    // A scope caches what it loads, so each attempt needs a new one.
    const scope = unitOfWork.readScope(asking)
    const found = await readRelease(scope, appId, releaseId)
    const { release } = found
    const before = await timelineEnd(scope, release.id)
    const sections = await sectionsOf(scope, found)
    const timeline = await timelineOf(scope, release.id)
    const after = await timelineEnd(unitOfWork.readScope(asking), release.id)
    if (before?.position !== after?.position) continue
    const bytes = await writeEvidence({ ...sections, timeline })
    return { bytes, fileName: `${appId}-${release.version}-evidence.json` }
  }
  throw refuse('not_ready', { detail: 'The release keeps changing while it is being read.' })
}

async function sectionsOf(scope: Scope, { release, pilot }: FoundRelease) {
  const steps = await stepRows(scope, release.id)
  const approved = approvedContent(release, steps)
  const added: object[] = []
  for (const { presentation } of releaseExtensions.all) {
    const evidence = presentation?.evidence
    if (evidence) added.push(await evidence.of(scope, release, approved))
    await yieldToOthers()
  }
  const { id, name } = scope.organization
  return {
    format: EVIDENCE_FORMAT,
    organization: { id, name },
    release: ownMembers(release, pilot),
    steps: steps.map(shownStep),
    ...(Object.assign({}, ...added) as object),
  }
}

function shownStep(step: StepRow) {
  const { id, stepConfigId, name, type, required, status, statusChangedAt, attempt, notes } = step
  const { setBy, setAt, decidedBy = setBy, decidedAt = setAt, comment = null } = notes
  const texts = notes.localizations ?? []
  return {
    ...{ id, stepConfigId, name, type, required, status, statusChangedAt, attempt },
    decision:
      decidedBy && decidedAt
        ? {
            by: decidedBy,
            at: decidedAt,
            comment,
            content: hashedTexts(texts),
            contentHash: contentHash(texts),
            approvedHash: notes.approvedHash ?? null,
          }
        : null,
  }
}

async function timelineOf(scope: Scope, releaseId: string) {
  const entries: ReturnType<typeof shownEntry>[] = []
  for (;;) {
    const after = entries.at(-1)?.position ?? 0
    const rows = await scope.rows(ENTRIES, { releaseId, after, limit: ENTRIES_PER_READ })
    entries.push(...rows.map(shownEntry))
    if (rows.length < ENTRIES_PER_READ) break
    await yieldToOthers()
  }
  const begins = firstHash(releaseId)
  return { of: releaseId, begins, ends: entries.at(-1)?.hash ?? begins, entries }
}

function shownEntry({ actor, data, ...entry }: RowOfSelect<typeof ENTRIES>) {
  const { position, id, type, title, occurredAt, stepConfigId, previousHash, hash } = entry
  return {
    ...{ position: position!, id, type, title, occurredAt },
    actor: read(actor, NOBODY),
    stepConfigId,
    data: read(data, { unreadable: true }),
    ...{ previousHash, hash },
  }
}

const NOBODY = { type: 'system', id: null, name: 'unreadable' }

/** Reads stored JSON. A damaged value is replaced; the hash chain reveals the damage. */
function read(stored: string, instead: object): unknown {
  try {
    return JSON.parse(stored)
  } catch {
    return instead
  }
}
