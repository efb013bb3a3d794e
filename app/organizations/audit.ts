import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'

/** What was done to whom; never a secret. */
export interface AuditEntry {
  /** `<thing>.<done>`: `key.created`, `group.deleted`. */
  action: string
  /** Id of what it was done to. */
  subject: string
  data?: Record<string, unknown>
}

/** Writes down an act of administration, in the transaction of the act. */
export async function recordAudit(scope: Scope, entry: AuditEntry): Promise<void> {
  await scope.insert('audit_entries', [
    {
      id: newId('aud'),
      action: entry.action,
      actor: JSON.stringify(scope.actor),
      subject: entry.subject,
      data: JSON.stringify(entry.data ?? {}),
      created_at: scope.now,
    },
  ])
}
