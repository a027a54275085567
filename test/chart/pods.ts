import { text } from 'node:stream/consumers';
import { parseAllDocuments } from 'yaml';

/* Reads objects of Kubernetes, and writes the pods that they would make: there is no controller that would make them. */

interface Maker {
  metadata: { name: string };
  spec?: { template?: object; jobTemplate?: { spec: { template: object } } };
}

const items = parseAllDocuments(await text(process.stdin))
  .map((document) => document.toJS() as Maker | null)
  .flatMap((maker) => {
    const template = maker?.spec?.template ?? maker?.spec?.jobTemplate?.spec.template;
    return template
      ? [{ apiVersion: 'v1', kind: 'Pod', ...template, metadata: { name: maker!.metadata.name } }]
      : [];
  });
process.stdout.write(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
