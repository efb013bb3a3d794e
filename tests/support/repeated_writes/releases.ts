import type { Repeatable } from './repeatable.js'
import { put, type Write } from './write.js'

const verdict = { status: 'passed', comment: 'Well.', url: 'https://tests.acme.example/7' }

/** Writes to releases and their steps. */
export const ofReleases = ({
  release,
  detail,
  featureItem,
  ada,
  run,
}: Repeatable): Record<string, Write[]> => ({
  updateRelease: [
    put(
      release('1.0.0'),
      {
        version: '1.0',
        releaseType: 'release',
        releaseName: 'Winter',
        releaseDescription: 'Snow',
        releasePilotId: ada,
        targetKickoffAt: '2030-01-01T00:00:00Z',
        targetSubmitAt: '2030-01-02T00:00:00+01:00',
        targetReleaseAt: null,
      },
      detail('1.0.0')
    ),
  ],
  kickOffRelease: [put(`${release('1.0.0')}/kickoff`, undefined, detail('1.0.0'))],
  completeRelease: [put(`${release('1.0.0')}/complete`, undefined, detail('1.0.0'))],
  skipRelease: [put(`${release('1.3.0')}/skip`, { reason: 'Folded' }, detail('1.3.0'))],
  updateReleaseMetadata: [
    put(
      `${release('1.1.0')}/metadata`,
      { entries: [{ key: 'a', value: 1 }] },
      `${release('1.1.0')}/metadata`
    ),
    put(`${release('1.2.0')}/metadata`, { entries: [] }, detail('1.2.0')),
  ],
  updateReleaseRegressionStatus: [
    put(`${release('1.1.0')}/regressionStatus`, verdict, detail('1.1.0')),
    put(`${release('1.1.0')}/regressionStatus`, { status: 'passed' }, detail('1.1.0')),
  ],
  updateStepRunRegressionStatus: [
    put(
      `${release('1.1.0')}/step/${run('regressionTesting')}/regressionStatus`,
      { ...verdict, comment: null },
      `${release('1.1.0')}/stepRun/${run('regressionTesting')}`
    ),
  ],
  updateStepRunMetadata: [
    put(
      `${release('1.1.0')}/stepRun/${run('metadata')}/metadata`,
      { localizations: [{ locale: 'en-US', whatsNew: 'Faster.' }] },
      `${release('1.1.0')}/stepRun/${run('metadata')}`
    ),
  ],
  updateStepRunApproval: [
    put(
      `${release('1.1.0')}/stepRun/${run('metadata')}/approval`,
      { approved: true, comment: 'Fine.' },
      `${release('1.1.0')}/stepRun/${run('metadata')}`
    ),
    put(
      `${release('1.1.0')}/stepRun/${run('approvals')}/approval`,
      { approved: false },
      `${release('1.1.0')}/stepRun/${run('approvals')}`
    ),
  ],
  updateStepTypeApproval: [
    put(
      `${release('1.1.0')}/approval/screenshots`,
      { approved: true, comment: 'Nice.' },
      detail('1.1.0')
    ),
  ],
  ignoreFeatureReadinessItems: [
    {
      method: 'POST',
      path: `${release('1.1.0')}/frIgnoreUnignore`,
      options: { json: { itemIds: [featureItem] } },
    },
  ],
})
