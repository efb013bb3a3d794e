import type { Repeatable } from './repeatable.js'
import { put, type Write } from './write.js'

/** Writes to triage issues and fix requests. */
export const ofFixes = ({ fix, otherFix, issue }: Repeatable): Record<string, Write[]> => ({
  approveFixRequest: [put(`${fix}/approve`, { comment: 'Yes.' }, fix)],
  rejectFixRequest: [put(`${otherFix}/reject`, { comment: 'No.' }, otherFix)],
  updateTriageIssue: [
    put(issue, { title: 'Crash', description: 'Always.', status: 'ignored' }, issue),
  ],
})
