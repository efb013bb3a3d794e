import { addresses, addressOf } from '../../addresses.js'
import { installCode } from '../../components/install_code.js'
import type { Reader } from '../../frame/page.js'
import { firstLine, shortHash } from '../../words/commits.js'
import { counted, sizeText } from '../../words/numbers.js'
import { ciNumber } from '../../words/plain.js'
import { BUILD_STATUSES, statusLabel } from '../../words/statuses.js'
import { spanText, timeText } from '../../words/times.js'
import type { CiBuild } from '../answers.js'
import type { StepAnswers } from './read.js'

/** Returns the active build of a step, ways to install it, and earlier builds. */
export function buildOf(
  type: string,
  { tested, installs, run, builds }: StepAnswers,
  { reader, release }: { reader: Reader; release: { appId: string; releaseId: string } }
) {
  // Regression testing shows only the build itself.
  const showsDetails = type !== 'regressionTesting'
  const earlier = builds.filter(({ id }) => id !== tested?.id)
  const artifacts = showsDetails ? (tested?.artifacts ?? []) : []
  return {
    active: tested && lineOf(tested, reader),
    isLocked: showsDetails && typeof run?.data.lockedBuildId === 'string',
    changesHref: showsDetails && tested ? addressOf(addresses.releaseComparison, release) : null,
    artifactCount: counted(artifacts.length, 'file'),
    artifacts: artifacts.map(({ fileName, size }) => ({
      name: fileName,
      size: size === null ? '' : sizeText(size),
    })),
    installs: installs.map(({ bucket, url }) => ({
      bucket,
      href: new URL(url).pathname,
      code: installCode(url),
    })),
    earlierCount: counted(earlier.length, 'earlier build'),
    earlier: earlier.map((each) => lineOf(each, reader)),
  }
}

/** The commit hash of a build whose commit CI has not reported. */
const UNKNOWN_COMMIT = /^0+$/

function lineOf(build: CiBuild, reader: Reader) {
  const { buildIdentifier, buildStatus, branch, commitHash, commitMessage, startedAt } = build
  const number = ciNumber(buildIdentifier)
  return {
    name: number === null ? 'A build requested from CI' : `Build ${number}`,
    status: statusLabel(BUILD_STATUSES, buildStatus),
    branch,
    commit: UNKNOWN_COMMIT.test(commitHash) ? null : shortHash(commitHash),
    message: commitMessage === null ? null : firstLine(commitMessage),
    started: timeText(startedAt, reader),
    took: durationText(build),
    url: webAddress(build.url),
  }
}

/** Returns the duration of a build, such as `24 min`; null while it runs. */
function durationText({ startedAt, finishedAt }: CiBuild): string | null {
  return finishedAt === null ? null : spanText(Date.parse(finishedAt) - Date.parse(startedAt))
}

/** Returns an external address if it is safe as a link (HTTP or HTTPS); null if it is not. */
export const webAddress = (url: string | null): string | null =>
  url !== null && /^https?:\/\//i.test(url) ? url : null
