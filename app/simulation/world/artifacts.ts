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
interface Said {
  bundleId: string
  name: string
  version: string
  buildNumber: number
}

/**
 * The files of a run that succeeded: those of its scenario, or an app for each platform. They are
 * not signed, since no two signatures are alike and the same world has the same files.
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
  const said = { ...world.app, version: versionOf(run.branch) ?? '0.0.0', buildNumber: run.number }
  const isExpired = !isKept
  return [
    {
      id: 'ipa',
      name: `${world.app.name}.ipa`,
      contentType: 'application/octet-stream',
      bytes: ipaOf(said),
      isExpired,
    },
    {
      id: 'apk',
      name: `${world.app.name}.apk`,
      contentType: 'application/vnd.android.package-archive',
      bytes: apkOf(said),
      isExpired,
    },
  ]
}

function ipaOf({ bundleId, name, version, buildNumber }: Said): Buffer {
  const info = {
    ...INFO,
    CFBundleIdentifier: bundleId,
    CFBundleDisplayName: name,
    CFBundleShortVersionString: version,
    CFBundleVersion: String(buildNumber),
  }
  return writeZip(ipaEntries({ info, profile: null }))
}

function apkOf({ bundleId, version, buildNumber }: Said): Buffer {
  const attributes = {
    versionCode: { number: buildNumber },
    versionName: { text: version },
    package: { text: bundleId },
  }
  return writeZip(apkEntries({ manifest: { ...MANIFEST, attributes } }))
}
