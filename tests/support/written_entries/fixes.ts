import { json, type Write } from './write.js'

/** Writes to triage issues and fix requests. */
export const OF_FIXES: Record<string, Write[]> = {
  createTriageIssue: [
    {
      send: ({ app }) => ['POST', `${app}/triageIssue`, json({ title: 'It crashes' })],
      app: ['triageIssue.created'],
    },
  ],
  updateTriageIssue: [
    {
      send: ({ issue }) => ['PUT', issue, json({ severity: 'low', status: 'ignored' })],
      app: ['triageIssue.updated'],
    },
  ],
  requestTriageIssueFix: [
    {
      send: ({ issue, kickedOff }) => [
        'POST',
        `${issue}/requestFix`,
        json({ releaseId: kickedOff.split('/').at(-1) }),
      ],
      release: ['fixRequest.created'],
      app: ['triageIssue.updated'],
    },
  ],
  createFixRequest: [
    {
      send: ({ kickedOff }) => ['POST', `${kickedOff}/fixRequest`, json({ title: 'It crashes' })],
      release: ['fixRequest.created'],
    },
  ],
  approveFixRequest: [
    {
      send: ({ fix }) => ['PUT', `${fix}/approve`, json({ userEmail: 'ada@acme.example' })],
      release: ['approval.given'],
    },
    { send: ({ fix }) => ['PUT', `${fix}/approve`], release: ['fixRequest.approved'] },
  ],
  rejectFixRequest: [
    { send: ({ fix }) => ['PUT', `${fix}/reject`], release: ['fixRequest.rejected'] },
  ],
}
