import { ContentsList } from '../components.ts'
import type { ArchiveContents, Component } from '../metadata.ts'
import { isPlist, own, readPlist, texts, type Plist } from '../read_plist.ts'
import type { Archive } from '../read_zip.ts'
import { Unreadable } from '../unreadable.ts'

/** The kinds of components, by the extensions of their folders. */
const KINDS: Readonly<Record<string, Component['kind']>> = {
  framework: 'framework',
  bundle: 'bundle',
  appex: 'extension',
  app: 'extension',
}
/** Matches the Info.plist of a component, anywhere inside the app. */
const COMPONENT_INFO = /(?:^|\/)([^/]+)\.(framework|bundle|appex|app)\/Info\.plist$/
const DYNAMIC_LIBRARY = /(?:^|\/)Frameworks\/([^/]+)\.dylib$/

/** Reads the components and sizes of an Apple app, from its folder in the archive. */
export async function readAppleContents(
  archive: Archive,
  folder: string,
  plist: Plist
): Promise<ArchiveContents> {
  const list = new ContentsList()
  for (const name of archive.names()) {
    if (!name.startsWith(folder)) continue
    const inside = name.slice(folder.length)
    const [, component, extension] = COMPONENT_INFO.exec(inside) ?? []
    if (component) list.add(KINDS[extension], component, await versionIn(list, archive, name))
    else list.add('framework', DYNAMIC_LIBRARY.exec(inside)?.[1])
  }
  for (const type of urlTypes(plist)) {
    for (const scheme of texts(own(type, 'CFBundleURLSchemes'))) {
      list.export('urlScheme', scheme, null)
    }
  }
  const executable = own(plist, 'CFBundleExecutable')
  return list.contents(archive, (name) => partOf(name, folder, executable))
}

function urlTypes(plist: Plist): Plist[] {
  const types = own(plist, 'CFBundleURLTypes')
  return Array.isArray(types) ? types.filter(isPlist) : []
}

async function versionIn(list: ContentsList, archive: Archive, name: string): Promise<unknown> {
  const bytes = await list.read(archive, name)
  if (bytes === null) return null
  try {
    const info = readPlist(bytes, 'A component')
    return own(info, 'CFBundleShortVersionString') ?? own(info, 'CFBundleVersion')
  } catch (error) {
    if (error instanceof Unreadable || error instanceof RangeError) return null
    throw error
  }
}

const EXTENSIONS = /^(PlugIns|Extensions|Watch|AppClips)\//
const RESOURCES =
  /(^|\/)(Assets\.car$|[^/]+\.(lproj|storyboardc|momd|mlmodelc)\/|[^/]+\.(nib|strings|png|xib|plist|ttf|otf)$)/

function partOf(
  name: string,
  folder: string,
  executable: unknown
): keyof ArchiveContents['sizes'] | null {
  if (!name.startsWith(folder)) return null
  const inside = name.slice(folder.length)
  if (inside === executable) return 'code'
  if (inside.startsWith('Frameworks/')) return 'libraries'
  if (EXTENSIONS.test(inside)) return 'extensions'
  if (inside.startsWith('_CodeSignature/') || inside === 'embedded.mobileprovision') return 'other'
  return RESOURCES.test(inside) ? 'resources' : 'assets'
}
