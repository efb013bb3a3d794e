import { findIcon } from '../icon.ts'
import { LIMITS } from '../limits.ts'
import type { ArchiveMetadata, ArchiveResult } from '../metadata.ts'
import { plainText } from '../plain_text.ts'
import { isPlist, own, readPlist, texts, type Plist } from '../read_plist.ts'
import type { Archive } from '../read_zip.ts'
import { Unreadable, reading } from '../unreadable.ts'
import { readArchitectures } from './read_mach_o.ts'
import { readAppleContents } from './read_contents.ts'
import { readProfile } from './read_profile.ts'

const INFO = /^Payload\/[^/]+\.app\/Info\.plist$/
const CALLED = 'Info.plist'
const USAGE = /^NS[A-Za-z]{1,80}UsageDescription$/

/** Returns the paths of the Info.plist files of apps, by which Apple archives are recognized. */
export const infoNames = (archive: Archive) =>
  [...archive.names()].filter((name) => INFO.test(name))

/** Reads an Apple app. @param info the path of its Info.plist @throws Unreadable */
export async function readIpa(archive: Archive, info: string): Promise<ArchiveResult> {
  const plist = readPlist(await archive.read(info, LIMITS.manifestBytes, CALLED), CALLED)
  const folder = info.slice(0, -CALLED.length)
  const text = (key: string, max = 64) => plainText(own(plist, key), max)
  const bundleId = text('CFBundleIdentifier', 255)
  if (bundleId === null) throw new Unreadable('Info.plist names no CFBundleIdentifier.')
  const icon = await findIcon(archive, iconNames(archive, folder, plist))
  const metadata: ArchiveMetadata = {
    format: 'ipa',
    platform: platformOf(plist),
    bundleId,
    name: nameOf(plist),
    version: text('CFBundleShortVersionString'),
    buildNumber: text('CFBundleVersion'),
    minimumOsVersion: text('MinimumOSVersion'),
    targetOsVersion: text('DTPlatformVersion'),
    abis: await architectures(archive, folder, plist),
    permissions: Object.keys(plist)
      .filter((key) => USAGE.test(key))
      .sort()
      .slice(0, LIMITS.permissions),
    signing: null,
    ...(await profileOf(archive, folder)),
    iconFailure: icon.failure,
  }
  const contents = await readAppleContents(archive, folder, plist)
  return { isRead: true, metadata, contents, icon: icon.picture }
}

function nameOf(plist: Plist): string | null {
  const name = (key: string) => plainText(own(plist, key), 255, { whole: false })
  return name('CFBundleDisplayName') ?? name('CFBundleName')
}

const PLATFORMS: readonly [RegExp, ArchiveMetadata['platform']][] = [
  [/^appletv/i, 'tvos'],
  [/^xr/i, 'visionos'],
]

function platformOf(plist: Plist): ArchiveMetadata['platform'] {
  const [supported = ''] = texts(own(plist, 'CFBundleSupportedPlatforms'))
  return PLATFORMS.find(([pattern]) => pattern.test(supported))?.[1] ?? 'ios'
}

/** Reads the profile; a damaged one does not affect the rest of the metadata. */
async function profileOf(
  archive: Archive,
  folder: string
): Promise<Pick<ArchiveMetadata, 'profile' | 'profileFailure'>> {
  const name = `${folder}embedded.mobileprovision`
  if (!archive.has(name)) return { profile: null, profileFailure: null }
  try {
    const bytes = await archive.read(name, LIMITS.profileBytes, 'embedded.mobileprovision')
    return { profile: readProfile(bytes), profileFailure: null }
  } catch (error) {
    if (error instanceof Unreadable) return { profile: null, profileFailure: error.message }
    if (!(error instanceof RangeError)) throw error
    return { profile: null, profileFailure: 'embedded.mobileprovision is damaged.' }
  }
}

async function architectures(archive: Archive, folder: string, plist: Plist): Promise<string[]> {
  const executable = own(plist, 'CFBundleExecutable')
  const name = `${folder}${typeof executable === 'string' ? executable : ''}`
  if (!archive.has(name)) return []
  const start = await archive.peek(name, 'The executable')
  return reading('The executable', () => readArchitectures(start))
}

/** Returns the existing files of the named icons, the largest scale first. */
function iconNames(archive: Archive, folder: string, plist: Plist): string[] {
  const primary = ['CFBundleIcons', 'CFBundleIcons~ipad'].flatMap((key) => {
    const icons = own(plist, key)
    const found = isPlist(icons) ? own(icons, 'CFBundlePrimaryIcon') : undefined
    return isPlist(found) ? texts(own(found, 'CFBundleIconFiles')) : []
  })
  const single = own(plist, 'CFBundleIconFile')
  const named = [
    ...primary,
    ...texts(own(plist, 'CFBundleIconFiles')),
    ...(typeof single === 'string' ? [single] : []),
  ]
  // Icons are listed by their size in points, the smallest first.
  const bases = named.slice(-20).reverse()
  return bases
    .flatMap((base) =>
      ['@3x.png', '@2x.png', '.png', '@2x~ipad.png', '~ipad.png', ''].map(
        (ending) => `${folder}${base}${ending}`
      )
    )
    .filter((name) => archive.has(name))
}
