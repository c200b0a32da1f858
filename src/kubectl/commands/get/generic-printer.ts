import { customColumnsPrinter } from '../../printers/custom-columns.ts';
import { formatPrinter, type Printer, templateFormats, unknownFormatError } from '../../printers/printer.ts';
import type { Call } from '../../program/command.ts';

const getFormats: readonly string[] = ['json', 'name', 'yaml', 'wide', 'custom-columns', 'custom-columns-file', ...templateFormats];

/** The printer for `-o json` and other formats without a table. @throws KubectlError */
export async function genericPrinter(call: Call): Promise<Printer> {
  const { flags } = call;
  const output = flags.text('output') || 'go-template';
  const printer = (await customColumnsPrinter(call, output)) ?? (await formatPrinter(call, output));
  if (!printer) throw unknownFormatError(output, getFormats);
  return printer;
}
