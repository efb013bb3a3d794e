import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { auditEntries } from './tables.js'

/** An act of administration and its subject. It never contains a secret. */
interface AuditEntry {
  /** `<thing>.<done>`: `key.created`, `group.deleted`. */
  action: string
  /** Id of the affected object. */
  subject: string
  data?: Record<string, unknown>
}

/** Records an act of administration, in the transaction of the act. */
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
