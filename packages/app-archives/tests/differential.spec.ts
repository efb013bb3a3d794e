import { rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { test } from '@japa/runner'
import sharp from 'sharp'
import { readArchive } from '../read_archive.js'
import {
  ICON,
  ICON_FILE,
  INFO,
  LABEL,
  MANIFEST,
  PROFILE,
  plistText,
  writeApk,
  writeIpa,
} from '../writing/sane_archives.js'
import { withFile } from './support/scratch.js'
import { writeBinaryXml } from '../writing/write_manifest.js'
import { writeResourceTable } from '../writing/write_resources.js'

/*
 * Compares our reading of sane files with that of `app-info-parser`, which is used only in this test:
 * a name inside a file can make it hang.
 */
const Parser = createRequire(import.meta.url)('app-info-parser') as new (path: string) => {
  parse(): Promise<any>
}

/** Reads a file with both parsers; the other one needs the extension of its name. */
function readings(bytes: Buffer, ending: string) {
  return withFile(bytes, async (path) => {
    const named = `${path}.${ending}`
    await rename(path, named)
    const read = await readArchive(named)
    if (!read.isRead) throw new Error(read.reason)
    return { ...read, theirs: await new Parser(named).parse() }
  })
}

const LABEL_VALUE = { id: LABEL, value: { text: 'Acme' } }
const ICON_VALUE = { id: ICON, value: { text: ICON_FILE }, density: 480 }

const pixels = (picture: Uint8Array) => sharp(picture).ensureAlpha().raw().toBuffer()
const pictureOf = (dataUrl: string) => Buffer.from(dataUrl.replace(/^data:[^,]+,/, ''), 'base64')

test.group('Compared with app-info-parser', () => {
  // The other parser assumes UTF-8 for all tables, and orders icons differently.
  test('an APK with a manifest in {encoding} has the same metadata')
    .with([{ encoding: 'utf8' as const }, { encoding: 'utf16le' as const }])
    .run(async ({ assert }, { encoding }) => {
      const manifest = writeBinaryXml(MANIFEST, { encoding })
      const plain = [LABEL_VALUE, ICON_VALUE]
      const resources = writeResourceTable(plain, { encoding: 'utf8' })
      const { metadata, icon, theirs } = await readings(writeApk({ manifest, resources }), 'apk')
      const { usesSdk, application } = theirs
      assert.deepEqual(
        {
          bundleId: metadata.bundleId,
          version: metadata.version,
          buildNumber: metadata.buildNumber,
          names: [metadata.name],
          minimum: metadata.minimumOsVersion,
          target: metadata.targetOsVersion,
          permissions: metadata.permissions,
        },
        {
          bundleId: theirs.package,
          version: theirs.versionName,
          buildNumber: String(theirs.versionCode),
          names: application.label,
          minimum: String(usesSdk.minSdkVersion),
          target: String(usesSdk.targetSdkVersion),
          permissions: theirs.usesPermissions.map(({ name }: { name: string }) => name).sort(),
        }
      )
      assert.deepEqual(await pixels(icon!), await pixels(pictureOf(theirs.icon)))
    })

  test('an IPA with its property list as {kind} has the same metadata')
    .with([{ kind: 'text' }, { kind: 'binary' }])
    .run(async ({ assert }, { kind }) => {
      const info = kind === 'text' ? plistText(INFO) : INFO
      const { metadata, icon, theirs } = await readings(writeIpa({ info }), 'ipa')
      const { profile } = metadata
      const { mobileProvision } = theirs
      assert.deepEqual(
        [
          metadata.bundleId,
          metadata.name,
          metadata.version,
          metadata.buildNumber,
          metadata.minimumOsVersion,
          profile?.name,
          profile?.teamName,
          profile?.deviceCount,
          profile?.expiresAt,
          profile?.entitlements,
        ],
        [
          theirs.CFBundleIdentifier,
          theirs.CFBundleDisplayName,
          theirs.CFBundleShortVersionString,
          theirs.CFBundleVersion,
          theirs.MinimumOSVersion,
          mobileProvision.Name,
          mobileProvision.TeamName,
          PROFILE.ProvisionedDevices.length,
          mobileProvision.ExpirationDate.toISOString(),
          mobileProvision.Entitlements,
        ]
      )
      assert.deepEqual(await pixels(icon!), await pixels(pictureOf(theirs.icon)))
    })
})
