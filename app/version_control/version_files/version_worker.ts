// Loaded without the service's TypeScript loader: only the real file name resolves.
import { malformed, VersionFileFault } from './occurrence.ts'
import { readVersionFile, type VersionFile } from './version_file.ts'

/** A file as a text. */
export interface FileText {
  path: string
  text: string
}

/** Its version, or why it cannot be read. */
export type ReadVersion =
  | { file: VersionFile }
  | { fault: Pick<VersionFileFault, 'code' | 'message'> }

/** The entry point of the worker thread of `readVersionApart`. */
export default function readVersionInThread({ input }: { input: FileText }): ReadVersion {
  try {
    return { file: readVersionFile(input.path, input.text) }
  } catch (error) {
    // Deep nesting exhausts the stack.
    const fault = error instanceof RangeError ? malformed('file that can be read') : error
    if (!(fault instanceof VersionFileFault)) throw error
    return { fault: { code: fault.code, message: fault.message } }
  }
}
