import { findIcon, noIcon, type Icon } from '../icon.ts'
import { LIMITS } from '../limits.ts'
import type { ArchiveMetadata, ArchiveResult } from '../metadata.ts'
import { plainText } from '../plain_text.ts'
import type { Archive } from '../read_zip.ts'
import { Unreadable, reading } from '../unreadable.ts'
import { NO_RESOURCES, type AndroidResources } from './elements.ts'
import type { AndroidLayout } from './layouts.ts'
import { readAndroidContents } from './read_contents.ts'
import { describe, readManifest, type Manifest } from './read_manifest.ts'
import { readSigning } from './read_signing.ts'
import { resolveFiles } from './resolve.ts'

const CALLED = 'AndroidManifest.xml'

/** Reads an Android app. @throws Unreadable */
export async function readAndroid(archive: Archive, layout: AndroidLayout): Promise<ArchiveResult> {
  const bytes = await archive.read(layout.manifest, LIMITS.manifestBytes, CALLED)
  const manifest = reading(CALLED, () => readManifest(layout.elements(bytes, CALLED)))
  const resources = await resourcesOf(archive, layout)
  const described = reading('The resource table', () => describe(manifest, resources))
  const icon = await iconOf(archive, layout, manifest, resources)
  const metadata: ArchiveMetadata = {
    format: layout.format,
    ...described,
    abis: abisOf(archive, layout),
    signing: await readSigning(archive),
    profile: null,
    profileFailure: null,
    iconFailure: icon.failure,
  }
  const contents = await readAndroidContents(archive, layout, manifest, resources)
  return { isRead: true, metadata, contents, icon: icon.picture }
}

async function resourcesOf(archive: Archive, layout: AndroidLayout): Promise<AndroidResources> {
  if (!archive.has(layout.resources)) return NO_RESOURCES
  const called = layout.resources.slice(layout.root.length)
  const bytes = await archive.read(layout.resources, LIMITS.resourcesBytes, called)
  return reading(called, () => layout.table(bytes))
}

async function iconOf(
  archive: Archive,
  { root }: AndroidLayout,
  { icons }: Manifest,
  resources: AndroidResources
): Promise<Icon> {
  if (icons.length === 0) return noIcon('The manifest names no icon.')
  try {
    const files = reading('The resource table', () =>
      icons.flatMap((icon) => resolveFiles(resources, icon))
    )
    return await findIcon(
      archive,
      // Vector drawings end with .xml, unless file names were shortened.
      files.filter((path) => !path.endsWith('.xml')).map((path) => `${root}${path}`),
      files.length > 0 ? 'The icon is drawn, not a picture.' : undefined
    )
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return noIcon(error.message)
  }
}

function abisOf(archive: Archive, { library }: AndroidLayout): string[] {
  const abis = new Set<string>()
  for (const name of archive.names()) {
    const abi = plainText(library.exec(name)?.[1], 32)
    if (abi !== null) abis.add(abi)
    if (abis.size >= LIMITS.abis) break
  }
  return [...abis].sort()
}
