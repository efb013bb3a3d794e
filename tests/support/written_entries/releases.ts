import { derived, json, type Write } from './write.js'

/** Writes to releases and their steps. */
export const OF_RELEASES: Record<string, Write[]> = {
  createRelease: [
    {
      send: ({ app }) => ['POST', `${app}/release`, json({ version: '2.0.0' })],
      release: ['release.created'],
    },
  ],
  updateRelease: [
    {
      send: ({ release }) => [
        'PUT',
        release,
        json({
          releaseName: 'Winter',
          releasePilotId: 'ada@acme.example',
          targetSubmitAt: '2030-01-01T00:00:00Z',
        }),
      ],
      release: ['release.updated', 'release.targetDateUpdated', 'release.pilotChanged'],
    },
  ],
  deleteRelease: [{ send: ({ next }) => ['DELETE', next], release: ['release.deleted'] }],
  skipRelease: [
    {
      send: ({ next }) => ['PUT', `${next}/skip`, json({ reason: 'Folded' })],
      release: ['release.skipped'],
    },
    {
      send: ({ next }) => ['PUT', `${next}/skip`, json({ reason: 'Folded into 1.2' })],
      release: ['release.skipped'],
    },
  ],
  unskipRelease: [
    { send: ({ next }) => ['PUT', `${next}/unskip`], release: ['release.unskipped'] },
  ],
  kickOffRelease: [
    {
      send: ({ release }) => ['PUT', `${release}/kickoff`],
      release: ['release.kickedOff', 'releaseStep.statusChanged'],
    },
  ],
  completeRelease: [
    { send: ({ release }) => ['PUT', `${release}/complete`], release: ['release.updated'] },
  ],
  importReleases: [
    {
      send: ({ app }) => [
        'POST',
        `${app}/releases/import`,
        { raw: 'version,releasedAt\n0.9,2025-03-14\n', headers: { 'content-type': 'text/csv' } },
      ],
      audit: ['releases.imported'],
    },
  ],
  createReleaseLink: [
    { send: ({ release }) => ['POST', `${release}/link`], release: ['release.linkMade'] },
  ],
  revokeReleaseLink: [{ send: ({ link }) => ['DELETE', link], release: ['release.linkRevoked'] }],
  updateReleaseMetadata: [
    {
      send: ({ release }) => [
        'PUT',
        `${release}/metadata`,
        json({ entries: [{ key: 'a', value: 1 }] }),
      ],
      release: ['metadata.updated'],
    },
  ],
  updateReleaseRegressionStatus: [
    {
      send: ({ release }) => ['PUT', `${release}/regressionStatus`, json({ status: 'failed' })],
      release: ['step.regressionStatusSet', ...derived],
    },
    {
      send: ({ release }) => [
        'PUT',
        `${release}/regressionStatus`,
        json({ status: 'failed', comment: 'It crashes.' }),
      ],
      release: ['step.commented'],
    },
  ],
  updateStepRunRegressionStatus: [
    {
      send: ({ release, run }) => [
        'PUT',
        `${release}/step/${run('regressionTesting')}/regressionStatus`,
        json({ status: 'passed', url: 'https://tests.acme.example/7' }),
      ],
      release: ['step.regressionStatusSet', ...derived],
    },
  ],
  updateStepRunMetadata: [
    {
      send: ({ release, run }) => [
        'PUT',
        `${release}/stepRun/${run('metadata')}/metadata`,
        json({ localizations: [{ locale: 'en-US', whatsNew: 'Faster.' }] }),
      ],
      release: ['metadata.updated', 'releaseStep.statusChanged'],
    },
  ],
  updateStepRunApproval: [
    {
      send: ({ release, run }) => [
        'PUT',
        `${release}/stepRun/${run('metadata')}/approval`,
        json({ approved: true }),
      ],
      release: ['step.approved', 'releaseStep.statusChanged'],
    },
    {
      send: ({ release, run }) => [
        'PUT',
        `${release}/stepRun/${run('metadata')}/approval`,
        json({ approved: true, comment: 'Fine.' }),
      ],
      release: ['step.commented'],
    },
  ],
  updateStepTypeApproval: [
    {
      send: ({ release }) => ['PUT', `${release}/approval/screenshots`, json({ approved: true })],
      release: ['step.approved', 'releaseStep.statusChanged'],
    },
    {
      send: ({ release }) => ['PUT', `${release}/approval/screenshots`, json({ approved: false })],
      release: ['step.approvalWithdrawn', 'releaseStep.statusChanged'],
    },
  ],
  generateReleaseNotes: [
    {
      send: ({ release }) => ['POST', `${release}/notes/releaseNotes/metadata`, json({})],
      release: ['notes.generated'],
    },
  ],
  ignoreFeatureReadinessItems: [
    {
      send: ({ release, featureItem: id }) => [
        'POST',
        `${release}/frIgnoreUnignore`,
        json({ items: [{ id, ignored: true }] }),
      ],
      release: ['featureReadiness.itemsIgnored'],
    },
    {
      send: ({ release, featureItem }) => [
        'POST',
        `${release}/frIgnoreUnignore`,
        json({ itemIds: [featureItem], ignore: false }),
      ],
      release: ['featureReadiness.itemsRestored'],
    },
  ],
}
