import { addresses, addressOf } from '../addresses.js'
import { textIn } from '../configuration/answers.js'
import { withWarnings } from '../configuration/forms.js'
import { form, type Fields, type Form, type FormCall } from '../frame/page.js'
import { fileOf } from './file.js'
import { newAppPage } from './page.js'

const requestOf = ({ params: { orgId } }: FormCall, text: string) => ({
  params: { orgId },
  body: { bytes: Buffer.from(text), contentType: 'application/yaml' },
})

/** A form that checks a text without making an app. */
const checks = (path: string, textOf: (fields: Fields) => string): Form =>
  form({
    path,
    operation: 'createAppFromConfiguration',
    request: (call) => ({ ...requestOf(call, textOf(call.fields)), query: { dryRun: true } }),
    shownOn: { page: newAppPage },
    shows: newAppPage,
  })

/** A form that makes an app from a text. */
const makes = (path: string, textOf: (fields: Fields) => string): Form =>
  form({
    path,
    operation: 'createAppFromConfiguration',
    makes: true,
    request: (call) => requestOf(call, textOf(call.fields)),
    shownOn: { page: newAppPage },
    done({ answer }) {
      const { id, name } = answer as { id: string; name: string }
      return {
        to: addressOf(addresses.app, { appId: id }),
        said: withWarnings(`Made ${name}`, answer),
      }
    },
  })

export const fieldsForm = makes(addresses.newApp, fileOf)
export const fileForm = checks(addresses.newAppFile, fileOf)
export const textForm = makes(addresses.newAppFromFile, textIn)
export const checkForm = checks(addresses.newAppCheck, textIn)
