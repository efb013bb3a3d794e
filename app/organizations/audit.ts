import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { auditEntries } from './tables.js'

/** An action and its subject; never a secret. */
interface AuditEntry {
  /** `<thing>.<done>`: `key.created`, `group.deleted`. */
  action: string
  /** Id of what it was done to. */
  subject: string
  data?: Record<string, unknown>
}

/** Writes down an act of administration, in the transaction of the act. */
export async function recordAudit(scope: Scope, entry: AuditEntry): Promise<void> {
  await scope.insert(auditEntries, [
    {
      id: newId('aud'),
      action: entry.action,
      actor: scope.actor,
      subject: entry.subject,
      data: entry.data ?? {},
      createdAt: scope.now,
    },
  ])
}
