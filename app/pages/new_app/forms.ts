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

/** Creates a form that validates a configuration without creating an app. */
const dryRunForm = (path: string, textOf: (fields: Fields) => string): Form =>
  form({
    path,
    operation: 'createAppFromConfiguration',
    request: (call) => ({ ...requestOf(call, textOf(call.fields)), query: { dryRun: true } }),
    shownOn: { page: newAppPage },
    shows: newAppPage,
  })

/** Creates a form that creates an app from a configuration. */
const createForm = (path: string, textOf: (fields: Fields) => string): Form =>
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
        said: withWarnings(`Created ${name}`, answer),
      }
    },
  })

export const fieldsForm = createForm(addresses.newApp, fileOf)
export const fileForm = dryRunForm(addresses.newAppFile, fileOf)
export const textForm = createForm(addresses.newAppFromFile, textIn)
export const checkForm = dryRunForm(addresses.newAppCheck, textIn)
