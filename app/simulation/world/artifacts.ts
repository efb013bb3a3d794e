import { apkEntries, INFO, ipaEntries, MANIFEST } from '#app-archives/writing/sane_archives'
import { writeZip } from '#app-archives/writing/write_zip'
import type { SimulatedRun } from '#simulated-providers/ci'
import { versionOf } from './arrivals.js'
import type { World } from './world.js'

/** A file of a run, with its bytes. */
export interface Artifact {
  id: string
  name: string
  contentType: string
  bytes: Buffer
  isExpired: boolean
}

/** The description of an app in a run. */
interface AppDescription {
  bundleId: string
  name: string
  version: string
  buildNumber: number
}

/**
 * Returns the files of a successful run: those of its scenario, or an app for each platform. They
 * are not signed, because signatures differ each time, and equal worlds have equal files.
 */
export function artifactsOf(world: World, run: SimulatedRun, isKept: boolean): Artifact[] {
  const given = world.files.filter(({ runId }) => runId === run.id)
  if (given.length > 0 || run.pinned !== null) {
    return given.map(({ id, name, content, isExpired }) => ({
      id,
      name,
      contentType: 'application/octet-stream',
      bytes: Buffer.from(content),
      isExpired,
    }))
  }
  const description = {
    ...world.app,
    version: versionOf(run.branch) ?? '0.0.0',
    buildNumber: run.number,
  }
  const isExpired = !isKept
  return [
    {
      id: 'ipa',
      name: `${world.app.name}.ipa`,
      contentType: 'application/octet-stream',
      bytes: ipaOf(description),
      isExpired,
    },
    {
      id: 'apk',
      name: `${world.app.name}.apk`,
      contentType: 'application/vnd.android.package-archive',
      bytes: apkOf(description),
      isExpired,
    },
  ]
}

function ipaOf({ bundleId, name, version, buildNumber }: AppDescription): Buffer {
  const info = {
    ...INFO,
    CFBundleIdentifier: bundleId,
    CFBundleDisplayName: name,
    CFBundleShortVersionString: version,
    CFBundleVersion: String(buildNumber),
  }
  return writeZip(ipaEntries({ info, profile: null }))
}

function apkOf({ bundleId, version, buildNumber }: AppDescription): Buffer {
  const attributes = {
    versionCode: { number: buildNumber },
    versionName: { text: version },
    package: { text: bundleId },
  }
  return writeZip(apkEntries({ manifest: { ...MANIFEST, attributes } }))
}
